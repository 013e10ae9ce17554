import type { OverlapPolicy } from '@kith/protocol';
import type { Config } from '../config/index.ts';
import type { Sql, Transaction } from '../db/index.ts';
import type { Log } from '../observability/index.ts';
import { type DuePlan, planDue } from './due.ts';
import { type JobRow, scheduleOfJob } from './job-rows.ts';
import { countFailure, type Outcomes } from './outcomes.ts';
import type { AutomationNotice, SubmitAutomation } from './port.ts';
import { noteMissed, startRun } from './start-run.ts';

export interface SchedulerOptions {
  sql: Sql;
  clock: () => Date;
  config: Config['automation'];
  log: Log;
  submit: SubmitAutomation;
  afterCommit: () => Promise<void>;
  outcomes: Outcomes;
  announce: (notice: AutomationNotice) => Promise<void>;
}

export interface Scheduler {
  tick(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { config, log, outcomes } = options;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const look = async () => {
    await outcomes.makeUp();
    const leftAlone: string[] = [];
    while (!stopped && (await serveOne(options, leftAlone)));
  };
  const tick = () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const loop = async () => {
    await tick().catch((error: unknown) => log.error({ err: error }, 'automations could not be looked after'));
    if (!stopped) timer = setTimeout(loop, config.tickSeconds * 1000);
  };
  return {
    tick,
    start: () => {
      stopped = false;
      void loop();
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await looking?.catch(() => {});
    },
  };
}

/**
 * Takes the job that has waited longest and that no other scheduler holds, and serves what is due of it in one transaction.
 * One that cannot be served now is left alone until the next look, and holds up no other. False: there is none.
 */
async function serveOne(options: SchedulerOptions, leftAlone: string[]): Promise<boolean> {
  const now = options.clock();
  let taken: string | undefined;
  try {
    const notice = await options.sql.begin(async (sql) => {
      const [job] = await sql<JobRow[]>`
        select * from automation_jobs where status = 'active' and next_due_at <= ${now} and id <> all(${leftAlone}::uuid[])
        order by next_due_at limit 1 for update skip locked`;
      taken = job?.id;
      return job && serve(sql, options, job, now);
    });
    if (taken) await options.afterCommit();
    if (notice) await options.announce(notice);
  } catch (error) {
    if (!taken) throw error;
    leftAlone.push(taken);
    options.log.error({ err: error, jobId: taken }, 'an automation could not be started');
  }
  return taken !== undefined;
}

async function serve(sql: Transaction, options: SchedulerOptions, job: JobRow, now: Date) {
  const plan = planOf(job, now);
  if (plan instanceof Error) return giveUp(sql, job, plan);
  const moved: JobRow = { ...job, status: plan.next ? 'active' : 'finished', next_due_at: plan.next ?? null };
  await sql`
    update automation_jobs set status = ${moved.status}, next_due_at = ${moved.next_due_at}
    where id = ${job.id} and user_id = ${job.user_id}`;
  return carryOut(sql, options, moved, plan, now);
}

function planOf(job: JobRow, now: Date): DuePlan | Error {
  try {
    return planDue(scheduleOfJob(job), job.missed_policy, job.next_due_at ?? now, now);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** A schedule that can no longer be read will not be readable at the next look either. */
async function giveUp(sql: Transaction, job: JobRow, error: Error): Promise<undefined> {
  await sql`
    update automation_jobs set status = 'paused', next_due_at = null, last_error = ${error.message}
    where id = ${job.id} and user_id = ${job.user_id}`;
}

async function carryOut(
  sql: Transaction,
  { submit, config }: SchedulerOptions,
  job: JobRow,
  plan: DuePlan,
  now: Date,
): Promise<AutomationNotice | undefined> {
  for (const dueAt of plan.missed) await noteMissed(sql, job, dueAt, now);
  let overlap: OverlapPolicy = job.overlap_policy;
  for (const [index, dueAt] of plan.runs.entries()) {
    const note = await startRun(sql, submit, { job, dueAt, overlap, now });
    if (note?.outcome === 'failed') {
      // What fails for one due time would fail for the rest.
      for (const later of plan.runs.slice(index + 1)) await noteMissed(sql, job, later, now);
      return countFailure(sql, job, note.reason ?? 'failed', now, config);
    }
    // Only the first can meet what was under way before; those that are made up for wait for each other.
    if (note?.outcome === 'started') overlap = 'enqueue';
  }
  return undefined;
}
