import { type AutomationInput, AutomationInput as AutomationInputSchema } from '@kith/protocol';
import { beforeEach } from 'vitest';
import type { Database } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import { createLog } from '../observability/index.ts';
import { type AutomationOptions, createAutomation } from './automation.ts';
import type { AutomationNotice, AutomationSubmission, SubmitAutomation } from './port.ts';

/** Automations with a clock that the test holds, and runs the way the server keeps them; empty before each test. */
export function automationsUnderTest(database: Database) {
  const { sql } = database;
  const clock = { now: new Date(0) };
  const submitted: AutomationSubmission[] = [];
  const notices: AutomationNotice[] = [];
  /** How many runs could be seen each time that somebody was told of a commit. */
  const commits: number[] = [];
  beforeEach(async () => {
    await sql`truncate automation_jobs, sessions cascade`;
    clock.now = new Date('2026-11-16T00:00:00Z');
    for (const list of [submitted, notices, commits]) list.length = 0;
  });

  /** A session per thread, one open run unless they may queue up. */
  const submit: SubmitAutomation = async (request) => {
    const { userId, threadId, runId, policy, sql: transaction } = request;
    await transaction`
      insert into sessions (user_id, thread_id, runtime_mode) values (${userId}, ${threadId}, 'automation')
      on conflict (user_id, thread_id) do nothing`;
    const [session] = await transaction<{ id: string; open: number; turns: number }[]>`
      select id, (select count(*) from runs where session_id = sessions.id and status in ('queued', 'running')) as open,
        (select count(*) from runs where session_id = sessions.id) as turns
      from sessions where user_id = ${userId} and thread_id = ${threadId} for update`;
    if (!session) throw new Error('no session');
    if (session.open > 0 && policy === 'reject') throw errors.THREAD_BUSY({ threadId });
    if (policy === 'interrupt') {
      await transaction`update runs set status = 'canceled' where session_id = ${session.id} and status = 'queued'`;
    }
    await transaction`
      insert into runs (session_id, user_id, run_id, turn, input)
      values (${session.id}, ${userId}, ${runId}, ${session.turns + 1}, '{}')`;
    submitted.push(request);
    return { status: 'queued' };
  };
  const scheduler = (overrides: Partial<AutomationOptions> = {}) =>
    createAutomation({
      database,
      clock: () => clock.now,
      log: createLog('silent'),
      config: { tickSeconds: 1, maxFailures: 3, backoffSeconds: 60 },
      submit,
      afterCommit: async () => {
        commits.push((await sql`select 1 from runs`).length);
      },
      timezoneOf: async () => 'Asia/Shanghai',
      notify: async (notice) => {
        notices.push(notice);
      },
      ...overrides,
    });
  const automation = scheduler();

  return {
    sql,
    clock,
    submitted,
    notices,
    commits,
    submit,
    scheduler,
    automation,
    at: (time: string) => {
      clock.now = new Date(time);
    },
    job: (changes: Partial<AutomationInput> = {}) =>
      automation.create(
        'zhangsan',
        AutomationInputSchema.parse({ name: '早报', prompt: '总结今天的日程', schedule: daily, ...changes }),
      ),
    finish: async (run: AutomationSubmission | undefined, status: 'completed' | 'failed', error?: string) => {
      if (!run) throw new Error('nothing was submitted');
      await sql`update runs set status = ${status}, error = ${error ?? null} where run_id = ${run.runId}`;
      await automation.onRunFinished({ threadId: run.threadId, runId: run.runId, status, error });
    },
    outcomes: async (jobId: string) =>
      (await automation.runs('zhangsan', jobId)).runs.map((run) => [run.due_at.slice(0, 16), run.outcome, run.reason]),
  };
}

export const daily = { type: 'cron', expression: '0 9 * * *' } as const;
