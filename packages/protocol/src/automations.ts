import { z } from 'zod';
import { Instant } from './json.ts';
import { isTimeZone } from './standards.ts';

/** Scheduled work: a prompt that runs by itself, in its user's time zone. */

export const AutomationSchedule = z.discriminatedUnion('type', [
  /** Five fields (minute hour day month weekday) or a nickname such as `@daily`, on the wall clock of the job's zone. */
  z.strictObject({ type: z.literal('cron'), expression: z.string().trim().min(1).max(200) }),
  /** Counted in elapsed time from when it was set: clocks that are put forward or back do not move it. */
  z.strictObject({ type: z.literal('interval'), seconds: z.int().min(60).max(31_536_000) }),
  /** ISO 8601 with an offset, or local in the job's zone. */
  z.strictObject({ type: z.literal('once'), at: z.string().max(64) }),
]);
export type AutomationSchedule = z.infer<typeof AutomationSchedule>;

/** What a run of the job sees of its thread besides the prompt: so many of the newest messages. */
export const AutomationContext = z.strictObject({ messages: z.int().min(0).max(100) });
export type AutomationContext = z.infer<typeof AutomationContext>;

export const AutomationConfig = z.strictObject({
  /** The skills the job may use; absent: those of the worker agent. */
  enabled_skills: z.array(z.string().min(1).max(128)).max(128).optional(),
  context: AutomationContext.optional(),
});
export type AutomationConfig = z.infer<typeof AutomationConfig>;

/** Due times that passed while no scheduler was there. */
export const MissedPolicy = z.enum(['skip', 'run_once', 'run_all']);
export type MissedPolicy = z.infer<typeof MissedPolicy>;
/** A due time that comes while the run before it is under way. */
export const OverlapPolicy = z.enum(['skip', 'enqueue', 'interrupt']);
export type OverlapPolicy = z.infer<typeof OverlapPolicy>;

export const AutomationStatus = z.enum(['active', 'paused', 'finished']);
export type AutomationStatus = z.infer<typeof AutomationStatus>;

const timezone = z.string().refine(isTimeZone, { error: 'expected an IANA time zone such as Asia/Shanghai' });
const fields = {
  name: z.string().trim().min(1).max(200),
  prompt: z.string().trim().min(1).max(20_000),
  schedule: AutomationSchedule,
  /** Absent: the user's own. */
  timezone: timezone.optional(),
  config: AutomationConfig,
  missed_policy: MissedPolicy,
  overlap_policy: OverlapPolicy,
};

export const AutomationInput = z.strictObject({
  ...fields,
  config: fields.config.prefault({}),
  /** Absent: `run_once` for a single time, `skip` for the rest. */
  missed_policy: MissedPolicy.optional(),
  overlap_policy: OverlapPolicy.default('skip'),
});
export type AutomationInput = z.infer<typeof AutomationInput>;

export const AutomationPatch = z.strictObject(fields).partial();
export type AutomationPatch = z.infer<typeof AutomationPatch>;

export const Automation = z.object({
  id: z.uuid(),
  ...fields,
  timezone: z.string(),
  status: AutomationStatus,
  /** `failures`: it paused itself after failing too often; `last_error` says why. */
  paused_by: z.enum(['user', 'failures']).nullable(),
  thread_id: z.string(),
  next_due_at: Instant.nullable(),
  last_due_at: Instant.nullable(),
  last_run_id: z.string().nullable(),
  failures: z.int().nonnegative(),
  last_error: z.string().nullable(),
  created_at: Instant,
  updated_at: Instant,
});
export type Automation = z.infer<typeof Automation>;

export const AutomationList = z.object({ automations: z.array(Automation) });
export type AutomationList = z.infer<typeof AutomationList>;

export const AutomationOutcome = z.enum(['started', 'skipped', 'completed', 'failed', 'canceled']);
export type AutomationOutcome = z.infer<typeof AutomationOutcome>;

export const AutomationRun = z.object({
  due_at: Instant,
  thread_id: z.string(),
  run_id: z.string().nullable(),
  outcome: AutomationOutcome,
  /** Why it was skipped (`missed`, `overlap`) or what it failed with. */
  reason: z.string().nullable(),
  started_at: Instant,
  finished_at: Instant.nullable(),
});
export type AutomationRun = z.infer<typeof AutomationRun>;

/** Newest first; `next_before` is the cursor to older ones. */
export const AutomationRunPage = z.object({ runs: z.array(AutomationRun), next_before: Instant.nullable() });
export type AutomationRunPage = z.infer<typeof AutomationRunPage>;
