import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { errors } from '../errors/index.ts';
import { automationsUnderTest, daily } from './under-test.ts';

const { sql, clock, submitted, notices, scheduler, automation, at, job, finish, outcomes } = automationsUnderTest(
  await testDatabase(),
);

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
    expect(await automation.runNow('zhangsan', id)).toMatchObject({
      outcome: 'started',
      due_at: clock.now.toISOString(),
    });
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
