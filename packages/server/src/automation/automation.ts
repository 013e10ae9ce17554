import type { AutomationInput, AutomationPatch } from '@kith/protocol';
import type { Config } from '../config/index.ts';
import type { Database, Transaction } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import type { Log } from '../observability/index.ts';
import {
  findJob,
  type JobRow,
  lockJob,
  type RunRow,
  scheduleOfJob,
  toAutomation,
  toAutomationRun,
} from './job-rows.ts';
import { keepSchedule } from './keep-schedule.ts';
import { countFailure, createOutcomes } from './outcomes.ts';
import type { Automation, AutomationNotice, SubmitAutomation } from './port.ts';
import { createScheduler } from './scheduler.ts';
import { startRun } from './start-run.ts';

export interface AutomationOptions {
  database: Pick<Database, 'sql'>;
  clock: () => Date;
  log: Log;
  config: Config['automation'];
  submit: SubmitAutomation;
  /** Told once what was submitted is committed: now it can be seen, and begun. */
  afterCommit?: () => Promise<void>;
  /** The zone a user lives in: where a job's schedule is read unless it names another. */
  timezoneOf: (userId: string) => Promise<string>;
  /** Told when a job has paused itself. */
  notify?: (notice: AutomationNotice) => Promise<void>;
}

const PAGE = 50;

export function createAutomation(options: AutomationOptions): Automation {
  const { clock, config, log, submit, timezoneOf } = options;
  const { sql } = options.database;
  const announce = async (notice: AutomationNotice) => {
    log.warn({ jobId: notice.jobId, failures: notice.failures }, 'an automation paused itself after failing too often');
    await options.notify?.(notice).catch((error: unknown) => log.error({ err: error }, 'a notice was not delivered'));
  };
  /** Whoever runs what was submitted finds it by themselves too, only later. */
  const afterCommit = async () => {
    await options.afterCommit?.().catch((error: unknown) => log.warn({ err: error }, 'nobody was told of a new run'));
  };
  const outcomes = createOutcomes({ sql, clock, config, announce });
  const scheduler = createScheduler({ sql, clock, config, log, submit, afterCommit, outcomes, announce });
  const shown = (row: JobRow) => toAutomation(row, config.maxFailures);
  /** Changes a job under its row's lock: before or after a due time, never in the middle of one. */
  const change = (userId: string, jobId: string, columns: (job: JobRow) => Partial<JobRow>) =>
    sql.begin(async (transaction) => {
      const job = await lockJob(transaction, userId, jobId);
      return shown(await save(transaction, job, columns(job), clock()));
    });

  return {
    start: scheduler.start,
    stop: scheduler.stop,
    tick: scheduler.tick,
    onRunFinished: outcomes.book,

    create: async (userId, input) => {
      const timezone = input.timezone ?? (await timezoneOf(userId));
      const { kept, next } = keepSchedule(input.schedule, timezone, clock());
      const job = { ...columnsOf(input), schedule: kept, timezone, next_due_at: next, user_id: userId };
      const [row] = await sql<JobRow[]>`
        insert into automation_jobs ${sql({ ...job, schedule: sql.json(kept), config: sql.json(input.config) })}
        returning *`;
      if (!row) throw errors.INTERNAL();
      return shown(row);
    },
    get: async (userId, jobId) => shown(await findJob(sql, userId, jobId)),
    list: async (userId) => {
      const rows = await sql<JobRow[]>`
        select * from automation_jobs where user_id = ${userId} order by created_at desc, id limit 1000`;
      return { automations: rows.map(shown) };
    },
    update: (userId, jobId, patch) => change(userId, jobId, (job) => changesOf(job, patch, clock())),
    delete: async (userId, jobId) => {
      await findJob(sql, userId, jobId);
      await sql`delete from automation_jobs where id = ${jobId} and user_id = ${userId}`;
    },
    pause: (userId, jobId) =>
      change(userId, jobId, (job) => (job.status === 'active' ? { status: 'paused', next_due_at: null } : {})),
    resume: (userId, jobId) =>
      change(userId, jobId, (job) => (job.status === 'paused' ? { ...rescheduled(job, clock()), failures: 0 } : {})),
    runNow: async (userId, jobId) => {
      const { run, notice } = await sql.begin(async (transaction) => {
        const job = await lockJob(transaction, userId, jobId);
        const now = clock();
        const note = await startRun(transaction, submit, { job, dueAt: now, overlap: job.overlap_policy, now });
        if (!note || note.outcome === 'skipped') throw errors.THREAD_BUSY({ jobId });
        const isFailed = note.outcome === 'failed';
        return {
          run: toAutomationRun(note),
          notice: isFailed ? await countFailure(transaction, job, note.reason ?? 'failed', now, config) : undefined,
        };
      });
      await afterCommit();
      if (notice) await announce(notice);
      return run;
    },
    runs: async (userId, jobId, { before, limit = PAGE } = {}) => {
      const job = await findJob(sql, userId, jobId);
      const rows = await sql<RunRow[]>`
        select * from automation_runs where job_id = ${job.id} ${before ? sql`and due_at < ${before}` : sql``}
        order by due_at desc limit ${limit + 1}`;
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      return { runs: page.map(toAutomationRun), next_before: last?.due_at.toISOString() ?? null };
    },
  };
}

/** A single time that passes unseen is still wanted; one of many is not. */
function columnsOf(input: AutomationInput) {
  const { name, prompt, config, overlap_policy } = input;
  const missed_policy = input.missed_policy ?? (input.schedule.type === 'once' ? 'run_once' : 'skip');
  return { name, prompt, config, overlap_policy, missed_policy };
}

/** A new schedule or zone starts from now; a job that was finished or had paused itself is active again. */
function changesOf(job: JobRow, patch: AutomationPatch, now: Date): Partial<JobRow> {
  const { schedule, timezone = job.timezone, ...rest } = patch;
  if (schedule) {
    const { kept, next } = keepSchedule(schedule, timezone, now);
    const paused = job.status === 'paused';
    return {
      ...rest,
      timezone,
      schedule: kept,
      status: paused ? 'paused' : 'active',
      next_due_at: paused ? null : next,
    };
  }
  if (timezone === job.timezone || job.status !== 'active') return { ...rest, timezone };
  return { ...rest, timezone, ...rescheduled({ ...job, timezone }, now) };
}

/** The time a job was paused does not count as missed. */
function rescheduled(job: Pick<JobRow, 'schedule' | 'timezone'>, now: Date): Pick<JobRow, 'status' | 'next_due_at'> {
  const next = scheduleOfJob(job).next(now);
  return { status: next ? 'active' : 'finished', next_due_at: next ?? null };
}

async function save(sql: Transaction, job: JobRow, changes: Partial<JobRow>, now: Date): Promise<JobRow> {
  const changed = { ...job, ...changes };
  const [row] = await sql<JobRow[]>`
    update automation_jobs set name = ${changed.name}, prompt = ${changed.prompt}, timezone = ${changed.timezone},
      schedule = ${sql.json(changed.schedule)}, config = ${sql.json(changed.config)}, status = ${changed.status},
      missed_policy = ${changed.missed_policy}, overlap_policy = ${changed.overlap_policy},
      next_due_at = ${changed.next_due_at}, failures = ${changed.failures}, updated_at = ${now}
    where id = ${job.id} and user_id = ${job.user_id} returning *`;
  if (!row) throw errors.AUTOMATION_NOT_FOUND({ jobId: job.id });
  return row;
}
