import type { Config } from '../config/index.ts';
import type { Sql, Transaction } from '../db/index.ts';
import { type JobRow, jobOfThread, scheduleOfJob, threadOf } from './job-rows.ts';
import type { AutomationNotice, FinishedRun } from './port.ts';

export interface Outcomes {
  /** Books how a run ended, once, however often it is told. */
  book(run: FinishedRun): Promise<void>;
  /** Books what ended without anybody telling: a process may die between a run's end and the word of it. */
  makeUp(): Promise<void>;
}

export interface OutcomesOptions {
  sql: Sql;
  clock: () => Date;
  config: Config['automation'];
  /** Tells whoever should know; never fails. */
  announce: (notice: AutomationNotice) => Promise<void>;
}

export function createOutcomes({ sql, clock, config, announce }: OutcomesOptions): Outcomes {
  const book = async (run: FinishedRun): Promise<void> => {
    const jobId = jobOfThread(run.threadId);
    if (!jobId) return;
    const notice = await sql.begin((transaction) => bookRun(transaction, jobId, run, clock(), config));
    if (notice) await announce(notice);
  };
  const makeUp = async () => {
    for (const run of await endedUnnoticed(sql)) await book({ ...run, error: run.error ?? undefined });
  };
  return { book, makeUp };
}

/** Runs that have ended, or that are gone because their session was deleted: it was written together with the note. */
async function endedUnnoticed(sql: Sql) {
  return sql<(Omit<FinishedRun, 'error'> & { error: string | null })[]>`
    select 'automation-' || job.id as "threadId", noted.run_id as "runId", coalesce(runs.status, 'canceled') as status,
      case when runs.id is null then 'the session was deleted' else runs.error end as error
    from automation_runs as noted
      join automation_jobs as job on job.id = noted.job_id
      left join sessions on sessions.user_id = job.user_id and sessions.thread_id = 'automation-' || job.id
      left join runs on runs.session_id = sessions.id and runs.run_id = noted.run_id
    where noted.outcome = 'started' and (runs.id is null or runs.status in ('completed', 'failed', 'canceled'))`;
}

async function bookRun(
  sql: Transaction,
  jobId: string,
  { runId, status, error }: FinishedRun,
  now: Date,
  config: Config['automation'],
): Promise<AutomationNotice | undefined> {
  const [job] = await sql<JobRow[]>`select * from automation_jobs where id = ${jobId} for update`;
  if (!job) return undefined;
  const booked = await sql`
    update automation_runs set outcome = ${status}, finished_at = ${now}, reason = ${error ?? null}
    where job_id = ${jobId} and run_id = ${runId} and outcome = 'started'`;
  // A canceled run is somebody's wish, or the next run's: nothing to hold against the job.
  if (booked.count === 0 || status === 'canceled') return undefined;
  if (status === 'failed') return countFailure(sql, job, error ?? 'failed', now, config);
  await sql`
    update automation_jobs set failures = 0, last_error = null
    where id = ${job.id} and user_id = ${job.user_id} and (failures > 0 or last_error is not null)`;
  return undefined;
}

/** Waits twice as long after each failure in a row; after the last one that is allowed the job pauses, and says why. */
export async function countFailure(
  sql: Transaction,
  job: JobRow,
  error: string,
  now: Date,
  config: Config['automation'],
): Promise<AutomationNotice | undefined> {
  const failures = job.failures + 1;
  const pauses = failures >= config.maxFailures && job.status === 'active';
  await sql`
    update automation_jobs set failures = ${failures}, last_error = ${error},
      status = ${pauses ? 'paused' : job.status},
      next_due_at = ${pauses ? null : afterBackoff(job, failures, now, config)}
    where id = ${job.id} and user_id = ${job.user_id}`;
  if (!pauses) return undefined;
  return { userId: job.user_id, jobId: job.id, threadId: threadOf(job.id), name: job.name, failures, error };
}

const LONGEST_WAIT_SECONDS = 24 * 60 * 60;

/** Due times within the wait are let go. */
function afterBackoff(job: JobRow, failures: number, now: Date, config: Config['automation']): Date | null {
  if (!job.next_due_at || job.status !== 'active') return job.next_due_at;
  const wait = Math.min(config.backoffSeconds * 2 ** (failures - 1), LONGEST_WAIT_SECONDS) * 1000;
  const earliest = now.getTime() + wait;
  if (job.next_due_at.getTime() >= earliest) return job.next_due_at;
  return scheduleOfJob(job).next(new Date(earliest - 1)) ?? null;
}
