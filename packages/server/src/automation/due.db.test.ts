import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { automationsUnderTest, daily } from './under-test.ts';

const { sql, submitted, commits, submit, scheduler, automation, at, job, finish, outcomes } = automationsUnderTest(
  await testDatabase(),
);

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
    expect(commits).toEqual([1]);
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

    submitted.length = 0;
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
