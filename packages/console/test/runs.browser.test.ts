import { RunDetail, RunPage } from '@kith/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { fits, LANGUAGES, PHONE, settled, violations } from './accessible.ts';
import { openBrowser } from './browser.ts';
import { consoleServer } from './server.ts';

const server = await consoleServer();
const visit = openBrowser();
const userId = 'runner';
const at = (path: string) => `${server.url}${path}`;

let run: RunDetail;
let runPath = '';

beforeAll(async () => {
  await server.ask(userId, 'POST', '/api/v1/contacts', { name: '李雷', department: '研发部' });
  const message = '帮我查一下明天的日程，然后创建一个明天下午三点的评审会议，再看看李雷的联系方式';
  await server.ask(userId, 'POST', '/api/v1/chat', { session_id: 'three-tools', message });
  const { runs } = RunPage.parse(await (await server.ask(userId, 'GET', '/api/v1/agent/runs')).json());
  const [latest] = runs;
  if (!latest) throw new Error('there is no run');
  runPath = `/runs/three-tools/${latest.runId}`;
  const path = `/api/v1/agent/runs/three-tools?runId=${latest.runId}`;
  run = RunDetail.parse(await (await server.ask(userId, 'GET', path)).json());
});

test('runs are listed, opened, and filtered to those that failed', async () => {
  const { page } = await visit(at('/runs'), { userId });
  await page.getByRole('link', { name: /帮我查一下明天的日程/ }).click();
  await page.getByText('完成', { exact: true }).waitFor();
  await page.getByRole('link', { name: '全部运行' }).click();
  await page.getByRole('link', { name: '只看失败' }).click();
  await page.getByText('没有失败的运行').waitFor();
  expect(page.url()).toMatch(/status=failed/);
});

test('a run is a timeline, whose steps open to their input and output', async () => {
  const { page } = await visit(at(runPath), { userId });
  const step = page.getByRole('button', { name: /创建日程/ });
  await step.click();
  await page.getByRole('region', { name: '输入' }).getByText('评审会议').waitFor();
  await page.getByRole('region', { name: '输出' }).getByText('created').first().waitFor();
  expect(await page.getByRole('button', { expanded: false }).count()).toBeGreaterThan(8);
});

test('a run is a list of actions and of model calls, whose costs add up to the ledger', async () => {
  const { page } = await visit(at(`${runPath}?view=actions`), { userId });
  await expect.poll(() => page.locator('main ol > li').count()).toBe(run.actions.length);
  await page.getByRole('link', { name: '模型调用' }).click();
  const costs = page.locator('main table [title^="¥"]');
  await costs.first().waitFor();
  const shown = await costs.evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title')));
  expect(shown).toEqual([...run.model_calls.map(({ cost }) => `¥${cost}`), `¥${run.usage.cost}`]);
});

test('a run is a graph of its steps and todos, and a node tells what it did', async () => {
  const { page } = await visit(at(`${runPath}?view=graph`), { userId });
  const nodes = page.locator('.react-flow__node');
  await nodes.first().waitFor();
  expect(await nodes.count()).toBe(run.actions.length + run.todos.length);
  expect(run.todos).toHaveLength(3);
  await expect.poll(() => page.locator('.react-flow__edge.serves').count()).toBe(3);
  for (const name of ['意图识别', '规划', '读取日程', '反思', '组织回答']) {
    await nodes.filter({ hasText: name }).first().waitFor();
  }
  await nodes.filter({ hasText: '读取联系人' }).click();
  await page.getByRole('dialog', { name: '读取联系人' }).getByText('李雷').first().waitFor();
});

test('a run under way is followed live, and can be stopped', async () => {
  await server.ask(userId, 'POST', '/api/v1/chat', { session_id: 'waiting', message: '取消明天下午三点的会议' });
  const { runs } = RunPage.parse(await (await server.ask(userId, 'GET', '/api/v1/agent/runs?threadId=waiting')).json());
  const { page } = await visit(at(`/runs/waiting/${runs[0]?.runId}`), { userId });
  await page.getByText('等待批准', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: '停止' }).click();
  await page.getByRole('status').getByText('已取消').waitFor();
});

test('audit messages are for administrators', async () => {
  const { page } = await visit(at(`${runPath}?view=audit`), { userId });
  await page.getByRole('link', { name: '时间线' }).waitFor();
  expect(await page.getByRole('link', { name: '审计' }).count()).toBe(0);
  const admin = await visit(at(`${runPath}?view=audit`), { userId, isAdmin: true });
  await admin.page.getByText('NEEDS_EXECUTION').first().waitFor();
});

test('somebody else’s run is not there', async () => {
  const { page } = await visit(at(runPath), { userId: 'stranger' });
  await page.getByText('没有这次运行').waitFor();
});

describe('accessibility', () => {
  const views = () => [
    '/runs',
    '/runs?status=failed',
    ...['timeline', 'actions', 'graph', 'calls', 'audit'].map((view) => `${runPath}?view=${view}`),
  ];

  test.each(LANGUAGES)(
    'no page has an A or AA violation in %s, in either theme',
    { timeout: 180_000 },
    async (language) => {
      const { page } = await visit(at('/runs'), { userId, isAdmin: true, language });
      for (const path of views()) {
        await page.goto(at(path));
        await settled(page);
        expect(await violations(page), path).toEqual([]);
      }
      await page.goto(at(runPath));
      await page.getByRole('button', { expanded: false }).last().click();
      expect(await violations(page), 'an open step').toEqual([]);
    },
  );

  test('every page fits a phone', { timeout: 120_000 }, async () => {
    const { page } = await visit(at('/runs'), { userId, isAdmin: true, viewport: PHONE });
    for (const path of views()) {
      await page.goto(at(path));
      await settled(page);
      expect(await fits(page), path).toBe(true);
    }
  });
});
