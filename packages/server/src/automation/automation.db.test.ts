import type { AutomationInput } from '@kith/protocol';
import { AutomationInput as AutomationInputSchema } from '@kith/protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { errors } from '../errors/index.ts';
import { createLog } from '../observability/index.ts';
import { createAutomation } from './automation.ts';
import type { AutomationNotice, AutomationSubmission, SubmitAutomation } from './port.ts';

const database = await testDatabase();
const { sql } = database;

let now: Date;
let submitted: AutomationSubmission[];
let notices: AutomationNotice[];
let seenAfterCommit: number;
beforeEach(async () => {
  await sql`truncate automation_jobs, sessions cascade`;
  now = new Date('2026-11-16T00:00:00Z');
  submitted = [];
  notices = [];
  seenAfterCommit = 0;
});
const at = (time: string) => {
  now = new Date(time);
};

/** Runs the way the server keeps them: a session per thread, one open run unless they may queue up. */
const submit: SubmitAutomation = async (request) => {
  const { userId, threadId, runId, policy, sql: transaction } = request;
  await transaction`
    insert into sessions (user_id, thread_id, runtime_mode) values (${userId}, ${threadId}, 'automation')
    on conflict (user_id, thread_id) do nothing`;
  const [session] = await transaction<{ id: string; open: number }[]>`
    select id, (select count(*) from runs where session_id = sessions.id and status in ('queued', 'running')) as open
    from sessions where user_id = ${userId} and thread_id = ${threadId} for update`;
  if (!session) throw new Error('no session');
  if (session.open > 0 && policy === 'reject') throw errors.THREAD_BUSY({ threadId });
  if (policy === 'interrupt') {
    await transaction`update runs set status = 'canceled' where session_id = ${session.id} and status = 'queued'`;
  }
  await transaction`
    insert into runs (session_id, user_id, run_id, turn, input)
    values (${session.id}, ${userId}, ${runId}, ${session.open + 1}, '{}')`;
  submitted.push(request);
  return { status: 'queued' };
};

const scheduler = (overrides: Partial<Parameters<typeof createAutomation>[0]> = {}) =>
  createAutomation({
    database,
    clock: () => now,
    log: createLog('silent'),
    config: { tickSeconds: 1, maxFailures: 3, backoffSeconds: 60 },
    submit,
    timezoneOf: async () => 'Asia/Shanghai',
    notify: async (notice) => void notices.push(notice),
    afterCommit: async () => {
      seenAfterCommit = (await sql`select 1 from runs`).length;
    },
    ...overrides,
  });
const automation = scheduler();

const job = (changes: Partial<AutomationInput> = {}) =>
  automation.create(
    'zhangsan',
    AutomationInputSchema.parse({
      name: '早报',
      prompt: '总结今天的日程',
      schedule: { type: 'cron', expression: '0 9 * * *' },
      ...changes,
    }),
  );
const daily = { type: 'cron', expression: '0 9 * * *' } as const;
const finish = async (run: AutomationSubmission | undefined, status: 'completed' | 'failed', error?: string) => {
  if (!run) throw new Error('nothing was submitted');
  await sql`update runs set status = ${status}, error = ${error ?? null} where run_id = ${run.runId}`;
  await automation.onRunFinished({ threadId: run.threadId, runId: run.runId, status, error });
};
const outcomes = async (jobId: string) =>
  (await automation.runs('zhangsan', jobId)).runs.map((run) => [run.due_at.slice(0, 16), run.outcome, run.reason]);

describe('a job that is due', () => {
  test('runs once, in its own thread, with its own skills and context', async () => {
    const config = { enabled_skills: ['calendar'], context: { messages: 5 } };
    const { id, next_due_at, thread_id } = await job({ config });
    expect(next_due_at).toBe('2026-11-16T01:00:00.000Z');
    await automation.tick();
    expect(submitted).toHaveLength(0);

    at('2026-11-16T01:00:00Z');
    await automation.tick();
    await automation.tick();
    expect(submitted).toHaveLength(1);
    expect(seenAfterCommit).toBe(1);
    expect(submitted[0]).toMatchObject({
      userId: 'zhangsan',
      jobId: id,
      threadId: `automation-${id}`,
      prompt: '总结今天的日程',
      enabledSkills: ['calendar'],
      context: { messages: 5 },
      policy: 'reject',
    });
    expect(await automation.get('zhangsan', id)).toMatchObject({
      next_due_at: '2026-11-17T01:00:00.000Z',
      last_due_at: '2026-11-16T01:00:00.000Z',
      last_run_id: submitted[0]?.runId,
      thread_id,
    });
    await finish(submitted[0], 'completed');
    expect(await outcomes(id)).toEqual([['2026-11-16T01:00', 'completed', null]]);
  });

  test('runs once although many schedulers look for it at the same time', async () => {
    const jobs = await Promise.all([job(), job(), job()]);
    const schedulers = Array.from({ length: 6 }, () => scheduler());
    for (const day of ['16', '17', '18']) {
      at(`2026-11-${day}T01:00:05Z`);
      await Promise.all(schedulers.map((one) => one.tick()));
      await sql`update runs set status = 'completed'`;
    }
    await automation.tick();
    expect(submitted).toHaveLength(9);
    expect(new Set(submitted.map((run) => run.runId)).size).toBe(9);
    for (const { id } of jobs) {
      expect((await outcomes(id)).map(([, outcome]) => outcome)).toEqual(['completed', 'completed', 'completed']);
    }
  });

  test('is neither lost nor doubled when the process dies while it starts', async () => {
    const { id } = await job();
    at('2026-11-16T01:00:00Z');
    const dying = scheduler({
      submit: async (request) => {
        await submit(request);
        throw new Error('the process died');
      },
    });
    await dying.tick();
    expect(await sql`select 1 from runs`).toHaveLength(0);
    expect(await outcomes(id)).toEqual([]);

    submitted = [];
    await scheduler().tick();
    expect(submitted).toHaveLength(1);
    expect(await sql`select 1 from runs`).toHaveLength(1);
  });

  test('does not wait for another that cannot be started', async () => {
    const broken = await job();
    const sound = await job({ schedule: { type: 'cron', expression: '1 9 * * *' } });
    at('2026-11-16T01:01:00Z');
    const halting = scheduler({
      submit: (request) => (request.jobId === broken.id ? Promise.reject(new Error('away')) : submit(request)),
    });
    await halting.tick();
    expect(submitted.map((run) => run.jobId)).toEqual([sound.id]);
    await automation.tick();
    expect(submitted.map((run) => run.jobId)).toEqual([sound.id, broken.id]);
  });

  test('that is a single time is finished afterwards', async () => {
    const { id } = await job({ schedule: { type: 'once', at: '2026-11-16T10:00:00' } });
    at('2026-11-16T02:00:00Z');
    await automation.tick();
    expect(submitted).toHaveLength(1);
    expect(await automation.get('zhangsan', id)).toMatchObject({ status: 'finished', next_due_at: null });
  });
});

describe('due while no server was there', () => {
  const down = async (missed_policy: 'skip' | 'run_once' | 'run_all') => {
    const { id } = await job({ missed_policy, schedule: daily });
    at('2026-11-18T12:00:00Z');
    await automation.tick();
    return id;
  };

  test('with `skip`: lets it go, and says so', async () => {
    const id = await down('skip');
    expect(submitted).toHaveLength(0);
    expect(await outcomes(id)).toEqual([
      ['2026-11-18T01:00', 'skipped', 'missed'],
      ['2026-11-17T01:00', 'skipped', 'missed'],
      ['2026-11-16T01:00', 'skipped', 'missed'],
    ]);
    expect(await automation.get('zhangsan', id)).toMatchObject({ next_due_at: '2026-11-19T01:00:00.000Z' });
  });

  test('with `run_once`: makes up for all of it by one run', async () => {
    const id = await down('run_once');
    expect(submitted).toHaveLength(1);
    expect(await outcomes(id)).toEqual([
      ['2026-11-18T01:00', 'started', null],
      ['2026-11-17T01:00', 'skipped', 'missed'],
      ['2026-11-16T01:00', 'skipped', 'missed'],
    ]);
  });

  test('with `run_all`: runs each, one after the other', async () => {
    const id = await down('run_all');
    expect(submitted.map((run) => run.policy)).toEqual(['reject', 'enqueue', 'enqueue']);
    expect((await outcomes(id)).map(([, outcome]) => outcome)).toEqual(['started', 'started', 'started']);
  });

  test('with `run_all`: not without end', async () => {
    await job({ missed_policy: 'run_all', schedule: { type: 'interval', seconds: 60 } });
    at('2027-11-18T12:00:00Z');
    await automation.tick();
    expect(submitted).toHaveLength(20);
  });

  test('a single time is still wanted, unless it was said otherwise', async () => {
    const schedule = { type: 'once', at: '2026-11-16T09:00:00+08:00' } as const;
    await job({ schedule });
    const { id } = await job({ schedule, missed_policy: 'skip' });
    at('2026-11-20T00:00:00Z');
    await automation.tick();
    expect(submitted).toHaveLength(1);
    expect(await outcomes(id)).toEqual([['2026-11-16T01:00', 'skipped', 'missed']]);
    expect(await automation.get('zhangsan', id)).toMatchObject({ status: 'finished' });
  });
});

describe('when clocks change', () => {
  const inNewYork = (expression: string) =>
    job({ timezone: 'America/New_York', schedule: { type: 'cron', expression }, overlap_policy: 'enqueue' });
  const minutes = async (from: string, count: number) => {
    for (let minute = 0; minute < count; minute += 15) {
      at(new Date(Date.parse(from) + minute * 60_000).toISOString());
      await automation.tick();
    }
  };

  test('a time that comes twice runs once', async () => {
    at('2026-11-01T04:00:00Z');
    const { id } = await inNewYork('30 1 * * *');
    await minutes('2026-11-01T04:00:00Z', 240);
    expect(await outcomes(id)).toEqual([['2026-11-01T05:30', 'started', null]]);
  });

  test('a time that does not come runs when the gap is over', async () => {
    at('2026-03-08T06:00:00Z');
    const { id } = await inNewYork('30 2 * * *');
    await minutes('2026-03-08T06:00:00Z', 240);
    expect(await outcomes(id)).toEqual([['2026-03-08T07:00', 'started', null]]);
  });

  test('an hourly job runs in each of the two hours that look alike', async () => {
    at('2026-11-01T05:00:00Z');
    const { id } = await inNewYork('30 * * * *');
    await minutes('2026-11-01T05:00:00Z', 120);
    expect((await outcomes(id)).map(([due]) => due)).toEqual(['2026-11-01T06:30', '2026-11-01T05:30']);
  });
});

describe('due while the run before is under way', () => {
  const twice = async (overlap_policy: 'skip' | 'enqueue' | 'interrupt') => {
    const { id } = await job({ overlap_policy });
    for (const day of ['16', '17']) {
      at(`2026-11-${day}T01:00:00Z`);
      await automation.tick();
    }
    return id;
  };

  test('with `skip`: is let go', async () => {
    const id = await twice('skip');
    expect(submitted).toHaveLength(1);
    expect(await outcomes(id)).toEqual([
      ['2026-11-17T01:00', 'skipped', 'overlap'],
      ['2026-11-16T01:00', 'started', null],
    ]);
  });

  test('with `enqueue`: waits for it', async () => {
    await twice('enqueue');
    expect(submitted.map((run) => run.policy)).toEqual(['enqueue', 'enqueue']);
  });

  test('with `interrupt`: takes its place, which is no failure', async () => {
    const id = await twice('interrupt');
    await automation.tick();
    expect(await outcomes(id)).toEqual([
      ['2026-11-17T01:00', 'started', null],
      ['2026-11-16T01:00', 'canceled', null],
    ]);
    expect(await automation.get('zhangsan', id)).toMatchObject({ failures: 0, last_error: null });
  });

  test('a run that waits for its user’s word is under way', async () => {
    const { id } = await job();
    at('2026-11-16T01:00:00Z');
    await automation.tick();
    await sql`update runs set status = 'awaiting_approval'`;
    at('2026-11-17T01:00:00Z');
    await automation.tick();
    expect(await outcomes(id)).toEqual([
      ['2026-11-17T01:00', 'skipped', 'overlap'],
      ['2026-11-16T01:00', 'started', null],
    ]);
  });

  test('a thread that its user is talking in counts as busy', async () => {
    const { id } = await job();
    const request = {
      userId: 'zhangsan',
      threadId: `automation-${id}`,
      runId: 'a question',
      policy: 'enqueue',
    } as const;
    await sql.begin((transaction) => submit({ ...request, jobId: id, prompt: '', sql: transaction }));
    at('2026-11-16T01:00:00Z');
    await automation.tick();
    expect(await outcomes(id)).toEqual([['2026-11-16T01:00', 'skipped', 'overlap']]);
  });
});

describe('edited while it runs', () => {
  test('the run goes on as it was, the next one is as edited', async () => {
    const { id } = await job();
    at('2026-11-16T01:00:00Z');
    await automation.tick();
    const edited = await automation.update('zhangsan', id, {
      prompt: '总结明天的日程',
      schedule: { type: 'cron', expression: '30 9 * * *' },
    });
    expect(edited).toMatchObject({ prompt: '总结明天的日程', next_due_at: '2026-11-16T01:30:00.000Z' });
    await finish(submitted[0], 'completed');
    at('2026-11-16T01:30:00Z');
    await automation.tick();
    expect(submitted.map((run) => run.prompt)).toEqual(['总结今天的日程', '总结明天的日程']);
    expect(await outcomes(id)).toEqual([
      ['2026-11-16T01:30', 'started', null],
      ['2026-11-16T01:00', 'completed', null],
    ]);
  });

  test('a failure that is told after the edit does not bring the old schedule back', async () => {
    const { id } = await job({ schedule: { type: 'interval', seconds: 60 } });
    at('2026-11-16T00:01:00Z');
    await automation.tick();
    await automation.update('zhangsan', id, { schedule: daily });
    await finish(submitted[0], 'failed', 'no model');
    expect(await automation.get('zhangsan', id)).toMatchObject({
      next_due_at: '2026-11-16T01:00:00.000Z',
      failures: 1,
    });
  });

  test('deleted while it runs: its end is told to nobody', async () => {
    const { id } = await job();
    at('2026-11-16T01:00:00Z');
    await automation.tick();
    await automation.delete('zhangsan', id);
    await finish(submitted[0], 'failed', 'late');
    await expect(automation.get('zhangsan', id)).rejects.toMatchObject({ code: 'AUTOMATION_NOT_FOUND' });
  });

  test('a new zone moves the next time', async () => {
    const { id } = await job();
    const moved = await automation.update('zhangsan', id, { timezone: 'Europe/Paris' });
    expect(moved).toMatchObject({ timezone: 'Europe/Paris', next_due_at: '2026-11-16T08:00:00.000Z' });
  });
});

describe('paused', () => {
  test('does not run, and what passed meanwhile is not made up for', async () => {
    const { id } = await job({ missed_policy: 'run_all' });
    expect(await automation.pause('zhangsan', id)).toMatchObject({
      status: 'paused',
      paused_by: 'user',
      next_due_at: null,
    });
    at('2026-11-18T12:00:00Z');
    await automation.tick();
    const resumed = await automation.resume('zhangsan', id);
    await automation.tick();
    expect(submitted).toHaveLength(0);
    expect(resumed).toMatchObject({ status: 'active', paused_by: null, next_due_at: '2026-11-19T01:00:00.000Z' });
  });

  test('a single time that passed meanwhile is over', async () => {
    const { id } = await job({ schedule: { type: 'once', at: '2026-11-16T09:00:00' } });
    await automation.pause('zhangsan', id);
    at('2026-11-18T12:00:00Z');
    expect(await automation.resume('zhangsan', id)).toMatchObject({ status: 'finished' });
  });

  test('runs when it is told to, and stays paused', async () => {
    const { id } = await job();
    await automation.pause('zhangsan', id);
    expect(await automation.runNow('zhangsan', id)).toMatchObject({ outcome: 'started', due_at: now.toISOString() });
    expect(submitted).toHaveLength(1);
    expect(await automation.get('zhangsan', id)).toMatchObject({ status: 'paused' });
    at('2026-11-16T00:00:10Z');
    await expect(automation.runNow('zhangsan', id)).rejects.toMatchObject({ code: 'THREAD_BUSY' });
    expect(await outcomes(id)).toHaveLength(1);
  });
});

describe('failing', () => {
  const everyMinute = { type: 'interval', seconds: 60 } as const;

  test('waits longer each time, then pauses and says why', async () => {
    const { id } = await job({ schedule: everyMinute });
    const waits = ['2026-11-16T00:01:00.000Z', '2026-11-16T00:02:00.000Z', '2026-11-16T00:04:00.000Z'];
    for (const [failures, due] of waits.entries()) {
      expect(await automation.get('zhangsan', id)).toMatchObject({ status: 'active', failures, next_due_at: due });
      at(due);
      await automation.tick();
      await finish(submitted.at(-1), 'failed', 'MODEL_UNAVAILABLE');
    }
    expect(submitted).toHaveLength(3);
    expect(await automation.get('zhangsan', id)).toMatchObject({
      status: 'paused',
      paused_by: 'failures',
      failures: 3,
      last_error: 'MODEL_UNAVAILABLE',
      next_due_at: null,
    });
    expect(notices).toMatchObject([{ userId: 'zhangsan', jobId: id, failures: 3, error: 'MODEL_UNAVAILABLE' }]);
    at('2026-11-17T00:00:00Z');
    await automation.tick();
    expect(submitted).toHaveLength(3);
    expect(await automation.resume('zhangsan', id)).toMatchObject({ status: 'active', failures: 0 });
  });

  test('a success wipes the slate', async () => {
    const { id } = await job({ schedule: everyMinute });
    for (const status of ['failed', 'failed', 'completed'] as const) {
      at((await automation.get('zhangsan', id)).next_due_at ?? '');
      await automation.tick();
      await finish(submitted.at(-1), status, status === 'failed' ? 'x' : undefined);
    }
    expect(await automation.get('zhangsan', id)).toMatchObject({ failures: 0, last_error: null, status: 'active' });
  });

  test('a run that cannot even be submitted counts', async () => {
    const { id } = await job();
    at('2026-11-16T01:00:00Z');
    await scheduler({ submit: () => Promise.reject(errors.SKILL_NOT_FOUND({ detail: 'no skill `weather`' })) }).tick();
    expect(await outcomes(id)).toEqual([['2026-11-16T01:00', 'failed', 'SKILL_NOT_FOUND: no skill `weather`']]);
    expect(await automation.get('zhangsan', id)).toMatchObject({ failures: 1 });
  });

  test('the same end told twice counts once', async () => {
    const { id } = await job();
    at('2026-11-16T01:00:00Z');
    await automation.tick();
    await finish(submitted[0], 'failed', 'x');
    await finish(submitted[0], 'failed', 'x');
    expect(await automation.get('zhangsan', id)).toMatchObject({ failures: 1 });
  });

  test('an end that nobody told is found out', async () => {
    const { id } = await job();
    at('2026-11-16T01:00:00Z');
    await automation.tick();
    await sql`update runs set status = 'failed', error = 'lost' where run_id = ${submitted[0]?.runId ?? ''}`;
    await scheduler().tick();
    expect(await outcomes(id)).toEqual([['2026-11-16T01:00', 'failed', 'lost']]);
  });

  test('a session that was deleted under a run does not hold up the job for ever', async () => {
    const { id } = await job();
    at('2026-11-16T01:00:00Z');
    await automation.tick();
    await sql`delete from sessions`;
    at('2026-11-17T01:00:00Z');
    await automation.tick();
    expect((await outcomes(id)).map(([, outcome]) => outcome)).toEqual(['started', 'canceled']);
  });
});

describe('what makes no sense is refused by its field', () => {
  test.each([
    ['a cron that is none', { schedule: { type: 'cron', expression: 'every day' } }, 'schedule.expression'],
    ['a day that never comes', { schedule: { type: 'cron', expression: '0 0 30 2 *' } }, 'schedule.expression'],
    ['a time that has passed', { schedule: { type: 'once', at: '2020-01-01T00:00:00Z' } }, 'schedule.at'],
    ['a time that is none', { schedule: { type: 'once', at: 'tomorrow' } }, 'schedule.at'],
  ] as const)('%s', async (_name, changes, field) => {
    await expect(job(changes)).rejects.toMatchObject({ code: 'REQUEST_INVALID', fields: [{ field }] });
  });
});

test('nobody sees, changes, runs or deletes a job of somebody else', async () => {
  const { id } = await job();
  const attempts = [
    () => automation.get('lisi', id),
    () => automation.update('lisi', id, { prompt: 'x' }),
    () => automation.pause('lisi', id),
    () => automation.resume('lisi', id),
    () => automation.runNow('lisi', id),
    () => automation.runs('lisi', id),
    () => automation.delete('lisi', id),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'AUTOMATION_NOT_FOUND' });
  await expect(automation.get('zhangsan', 'no-id')).rejects.toMatchObject({ code: 'AUTOMATION_NOT_FOUND' });
  expect(await automation.list('lisi')).toEqual({ automations: [] });
  expect(submitted).toHaveLength(0);
});

test('a history is read in pages, newest first', async () => {
  const { id } = await job({ overlap_policy: 'enqueue' });
  for (const day of ['16', '17', '18']) {
    at(`2026-11-${day}T01:00:00Z`);
    await automation.tick();
  }
  const first = await automation.runs('zhangsan', id, { limit: 2 });
  expect(first.runs.map((run) => run.due_at.slice(8, 10))).toEqual(['18', '17']);
  const second = await automation.runs('zhangsan', id, { limit: 2, before: new Date(first.next_before ?? '') });
  expect(second.runs.map((run) => run.due_at.slice(8, 10))).toEqual(['16']);
  expect(second.next_before).toBeNull();
});
