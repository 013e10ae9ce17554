import { Automation, AutomationList, AutomationRun, AutomationRunPage, HistoryPage, Problem } from '@kith/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { testKith } from '../../../test/kith.ts';
import { startSimulator } from '../../simulator/index.ts';

let now = new Date('2026-11-16T00:00:00Z');
const simulator = await startSimulator();
afterAll(() => simulator.close());
const kith = await testKith({
  config: { automation: { tickSeconds: 0.05, maxFailures: 1 }, server: { rateLimit: { max: 100_000 } } },
  options: { now: () => now, simulator },
});
const zhangsan = kith.as('zhangsan');
const lisi = kith.as('lisi');
const base = '/api/v1/automations';
const morning = { name: '早安', prompt: '你好', schedule: { type: 'cron', expression: '0 9 * * *' } };
const make = async (changes = {}) => {
  const answer = await zhangsan.post(base, { ...morning, ...changes });
  expect(answer.status).toBe(201);
  return answer.read(Automation);
};
const runsOf = async (id: string) => (await zhangsan.get(`${base}/${id}/runs`)).read(AutomationRunPage).runs;

describe('an automation', () => {
  test('is made, read, changed, paused, resumed and deleted', async () => {
    const made = await make({ config: { enabled_skills: ['calendar'], context: { messages: 4 } } });
    expect(made).toMatchObject({
      status: 'active',
      timezone: 'Asia/Shanghai',
      next_due_at: '2026-11-16T01:00:00.000Z',
      missed_policy: 'skip',
      overlap_policy: 'skip',
      config: { enabled_skills: ['calendar'], context: { messages: 4 } },
      thread_id: `automation-${made.id}`,
    });
    const at = `${base}/${made.id}`;
    expect((await zhangsan.get(at)).body).toEqual(made);
    expect((await zhangsan.get(base)).read(AutomationList).automations.map(({ id }) => id)).toContain(made.id);
    expect(await zhangsan.patch(at, { name: '晨报' })).toMatchObject({
      status: 200,
      body: { name: '晨报', prompt: '你好' },
    });
    expect(await zhangsan.post(`${at}/pause`)).toMatchObject({
      status: 200,
      body: { status: 'paused', next_due_at: null },
    });
    expect(await zhangsan.post(`${at}/resume`)).toMatchObject({ status: 200, body: { status: 'active' } });
    expect((await zhangsan.delete(at)).status).toBe(204);
    expect(await zhangsan.get(at)).toMatchObject({ status: 404, body: { code: 'AUTOMATION_NOT_FOUND' } });
  });

  test.each([
    ['no schedule', { schedule: undefined }, 'schedule'],
    ['a cron that is none', { schedule: { type: 'cron', expression: '99 * * * *' } }, 'schedule.expression'],
    ['an interval of a second', { schedule: { type: 'interval', seconds: 1 } }, 'schedule.seconds'],
    ['a time that has passed', { schedule: { type: 'once', at: '2020-01-01T00:00:00Z' } }, 'schedule.at'],
    ['a zone that is none', { timezone: 'Mars/Olympus' }, 'timezone'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['an unknown policy', { overlap_policy: 'hope' }, 'overlap_policy'],
  ])('with %s is refused by its field', async (_name, changes, field) => {
    const answer = await zhangsan.post(base, { ...morning, ...changes });
    expect(answer.status).toBe(400);
    expect(answer.read(Problem).errors).toMatchObject([{ field }]);
  });

  test('that is due runs by itself, and only what it answers is in the history', async () => {
    const { id, thread_id } = await make();
    now = new Date('2026-11-16T01:00:01Z');
    await eventually(async () => expect(await runsOf(id)).toMatchObject([{ outcome: 'completed' }]));
    const [run] = await runsOf(id);
    expect(run).toMatchObject({ due_at: '2026-11-16T01:00:00.000Z', thread_id });
    const history = (await zhangsan.get(`/api/v1/agent/history?threadId=${thread_id}`)).read(HistoryPage);
    expect(history.messages.map(({ role }) => role)).toEqual(['assistant']);
    const session = await zhangsan.get(`/api/v1/agent/sessions/${thread_id}`);
    expect(session.body).toMatchObject({ runtime_mode: 'automation', status: 'completed' });
  });

  test('runs now when it is told to, and shows it', async () => {
    const { id } = await make();
    const answer = await zhangsan.post(`${base}/${id}/run`);
    expect(answer.status).toBe(202);
    const { run_id } = answer.read(AutomationRun);
    await eventually(async () =>
      expect(await runsOf(id)).toMatchObject([{ run_id, outcome: 'completed', reason: null }]),
    );
    expect((await zhangsan.get(`${base}/${id}`)).body).toMatchObject({ last_run_id: run_id, failures: 0 });
  });

  test('that fails too often pauses, and says so in its history', async () => {
    simulator.control.next({ status: 500, times: 20 });
    const { id, thread_id } = await make();
    await zhangsan.post(`${base}/${id}/run`);
    await eventually(async () =>
      expect((await zhangsan.get(`${base}/${id}`)).body).toMatchObject({ status: 'paused', paused_by: 'failures' }),
    );
    await eventually(async () => {
      const { messages } = (await zhangsan.get(`/api/v1/agent/history?threadId=${thread_id}`)).read(HistoryPage);
      expect(messages.at(-1)).toMatchObject({
        role: 'assistant',
        content: expect.stringContaining('「早安」连续失败 1 次'),
      });
    });
    simulator.control.reset();
  });

  test('is for its owner alone', async () => {
    const { id } = await make();
    const attempts = [
      lisi.get(`${base}/${id}`),
      lisi.patch(`${base}/${id}`, { name: 'x' }),
      lisi.delete(`${base}/${id}`),
      lisi.post(`${base}/${id}/pause`),
      lisi.post(`${base}/${id}/resume`),
      lisi.post(`${base}/${id}/run`),
      lisi.get(`${base}/${id}/runs`),
    ];
    for (const answer of await Promise.all(attempts)) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'AUTOMATION_NOT_FOUND' } });
    }
    expect((await lisi.get(base)).body).toEqual({ automations: [] });
  });
});
