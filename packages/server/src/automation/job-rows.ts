import type {
  AutomationConfig,
  Automation as AutomationJob,
  AutomationOutcome,
  AutomationRun,
  AutomationSchedule,
  AutomationStatus,
  MissedPolicy,
  OverlapPolicy,
} from '@kith/protocol';
import type { Sql, Transaction } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import { type KeptSchedule, type Schedule, scheduleOf } from './schedule/schedule.ts';

export interface JobRow {
  id: string;
  user_id: string;
  name: string;
  prompt: string;
  schedule: KeptSchedule;
  timezone: string;
  config: AutomationConfig;
  status: AutomationStatus;
  missed_policy: MissedPolicy;
  overlap_policy: OverlapPolicy;
  next_due_at: Date | null;
  last_due_at: Date | null;
  last_run_id: string | null;
  failures: number;
  last_error: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface RunRow {
  job_id: string;
  due_at: Date;
  run_id: string | null;
  outcome: AutomationOutcome;
  reason: string | null;
  created_at: Date;
  finished_at: Date | null;
}

/** One thread per job: its runs are told in one history. */
export const threadOf = (jobId: string): string => `automation-${jobId}`;
export const jobOfThread = (threadId: string): string | undefined => /^automation-([0-9a-f-]{36})$/.exec(threadId)?.[1];

/** The same due time gives the same id: a run that is submitted twice is one run. */
export const runIdOf = (jobId: string, dueAt: Date): string =>
  `${threadOf(jobId)}-${dueAt.toISOString().replaceAll(/[-:]/g, '')}`;

export const scheduleOfJob = (job: Pick<JobRow, 'schedule' | 'timezone'>): Schedule =>
  scheduleOf(job.schedule, job.timezone);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One's own job; anybody else's does not exist. Locked, so that a change and a due time come one after the other. */
export async function lockJob(sql: Transaction, userId: string, jobId: string): Promise<JobRow> {
  const [row] = UUID.test(jobId)
    ? await sql<JobRow[]>`select * from automation_jobs where id = ${jobId} and user_id = ${userId} for update`
    : [];
  if (!row) throw errors.AUTOMATION_NOT_FOUND({ jobId });
  return row;
}

export async function findJob(sql: Sql | Transaction, userId: string, jobId: string): Promise<JobRow> {
  const [row] = UUID.test(jobId)
    ? await sql<JobRow[]>`select * from automation_jobs where id = ${jobId} and user_id = ${userId}`
    : [];
  if (!row) throw errors.AUTOMATION_NOT_FOUND({ jobId });
  return row;
}

export function toAutomation(row: JobRow, maxFailures: number): AutomationJob {
  const { id, name, prompt, timezone, config, status, missed_policy, overlap_policy, last_run_id, failures } = row;
  const paused = failures >= maxFailures ? 'failures' : 'user';
  return {
    id,
    name,
    prompt,
    schedule: toSchedule(row.schedule),
    timezone,
    config,
    status,
    paused_by: status === 'paused' ? paused : null,
    missed_policy,
    overlap_policy,
    thread_id: threadOf(id),
    next_due_at: row.next_due_at?.toISOString() ?? null,
    last_due_at: row.last_due_at?.toISOString() ?? null,
    last_run_id,
    failures,
    last_error: row.last_error,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Without what only the clockwork needs. */
function toSchedule(kept: KeptSchedule): AutomationSchedule {
  if (kept.type !== 'interval') return kept;
  return { type: 'interval', seconds: kept.seconds };
}

export function toAutomationRun(row: RunRow): AutomationRun {
  return {
    due_at: row.due_at.toISOString(),
    thread_id: threadOf(row.job_id),
    run_id: row.run_id,
    outcome: row.outcome,
    reason: row.reason,
    started_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
