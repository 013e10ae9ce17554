import type { BusyPolicy, OverlapPolicy } from '@kith/protocol';
import type { Transaction } from '../db/index.ts';
import { isKithError } from '../errors/index.ts';
import { type JobRow, type RunRow, runIdOf, threadOf } from './job-rows.ts';
import type { AutomationSubmission, SubmitAutomation } from './port.ts';

/** What `submit` does when the thread is busy, by what the job does when its last run is under way. */
const busyPolicies: Record<OverlapPolicy, BusyPolicy> = { skip: 'reject', enqueue: 'enqueue', interrupt: 'interrupt' };

export interface DueTime {
  job: JobRow;
  dueAt: Date;
  overlap: OverlapPolicy;
  now: Date;
}

/**
 * Serves one due time, inside the transaction that holds the job's row: the note that it is served and the run itself are
 * there together or not at all. Gives back the note; undefined where the due time has one already.
 */
export async function startRun(sql: Transaction, submit: SubmitAutomation, due: DueTime): Promise<RunRow | undefined> {
  const { job, dueAt, overlap } = due;
  const runId = runIdOf(job.id, dueAt);
  const busy = await isUnderWay(sql, job.id);
  const [note] = await sql<RunRow[]>`
    insert into automation_runs (job_id, due_at, run_id) values (${job.id}, ${dueAt}, ${runId})
    on conflict (job_id, due_at) do nothing returning *`;
  if (!note) return undefined;
  if (busy && overlap === 'skip') return close(sql, due, 'skipped', 'overlap');
  try {
    // A submission that fails takes back only itself.
    await sql.savepoint((inner) => submit({ ...submissionOf(job, runId, overlap), sql: inner }));
  } catch (error) {
    // What is not in the table of errors is ours and may pass: the due time stays as it was, for the next look.
    if (!isKithError(error)) throw error;
    if (error.code === 'THREAD_BUSY') return close(sql, due, 'skipped', 'overlap');
    return close(sql, due, 'failed', `${error.code}: ${error.message}`);
  }
  await sql`
    update automation_jobs set last_due_at = greatest(last_due_at, ${dueAt}), last_run_id = ${runId},
      session_id = (select id from sessions where user_id = ${job.user_id} and thread_id = ${threadOf(job.id)})
    where id = ${job.id} and user_id = ${job.user_id}`;
  return note;
}

/** A due time that nobody was there for. */
export async function noteMissed(sql: Transaction, job: JobRow, dueAt: Date, now: Date): Promise<void> {
  await sql`
    insert into automation_runs (job_id, due_at, outcome, reason, finished_at)
    values (${job.id}, ${dueAt}, 'skipped', 'missed', ${now})
    on conflict (job_id, due_at) do nothing`;
}

async function isUnderWay(sql: Transaction, jobId: string): Promise<boolean> {
  const [row] = await sql`select 1 from automation_runs where job_id = ${jobId} and outcome = 'started' limit 1`;
  return row !== undefined;
}

async function close(
  sql: Transaction,
  { job, dueAt, now }: DueTime,
  outcome: 'skipped' | 'failed',
  reason: string,
): Promise<RunRow | undefined> {
  const [note] = await sql<RunRow[]>`
    update automation_runs set outcome = ${outcome}, reason = ${reason}, run_id = null, finished_at = ${now}
    where job_id = ${job.id} and due_at = ${dueAt} returning *`;
  return note;
}

function submissionOf(job: JobRow, runId: string, overlap: OverlapPolicy): Omit<AutomationSubmission, 'sql'> {
  const { enabled_skills, context } = job.config;
  return {
    userId: job.user_id,
    jobId: job.id,
    threadId: threadOf(job.id),
    runId,
    prompt: job.prompt,
    ...(enabled_skills ? { enabledSkills: enabled_skills } : {}),
    ...(context ? { context } : {}),
    policy: busyPolicies[overlap],
  };
}
