import { type UsageGrouping, UsageReport } from '@kith/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator } from '../../server/src/simulator/index.ts';
import { fits, LANGUAGES, PHONE, settled, violations } from './accessible.ts';
import { openBrowser } from './browser.ts';
import { consoleServer } from './server.ts';

const server = await consoleServer();
const visit = openBrowser();
const at = (path: string) => `${server.url}${path}`;
const admin = { userId: 'boss', isAdmin: true } as const;

/** Another vendor, as the world has them: an address that speaks the wire and asks for a key. */
const vendor = await startSimulator({});
afterAll(() => vendor.close());

const askAs = (path: string, headers: Record<string, string>) => fetch(at(path), { headers });
async function usage(grouping: UsageGrouping): Promise<UsageReport> {
  const headers = { 'x-user-id': 'boss', 'x-user-role': 'admin' };
  return UsageReport.parse(await (await askAs(`/api/v1/usage?group_by=${grouping}`, headers)).json());
}

beforeAll(async () => {
  await server.ask('zhangsan', 'PUT', '/api/v1/users/me/profile', { username: 'zhangsan', department: '研发部' });
  for (const user of ['zhangsan', 'lisi']) {
    await server.ask(user, 'POST', '/api/v1/chat', { session_id: 'first', message: '我是谁' });
  }
});

test('someone who is no administrator is told so', async () => {
  const { page } = await visit(at('/admin'), { userId: 'zhangsan' });
  await page.getByText('只有管理员能看这个页面').waitFor();
});

test('a vendor is added with its key, tried, and a stage switched to it; its cost is booked to the key', async () => {
  const { page } = await visit(at('/admin/models'), admin);
  await page.getByRole('button', { name: '添加供应商' }).click();
  const dialog = page.getByRole('dialog');
  const field = (name: string) => dialog.getByLabel(name, { exact: true });
  await field('供应商').selectOption('other');
  await field('标识').fill('Acme!');
  await dialog.getByText('只能用小写字母、数字和连字符', { exact: true }).waitFor();
  await field('供应商').selectOption('deepseek');
  await field('接口地址').fill('nowhere');
  await dialog.getByText('网址不正确').waitFor();
  await field('接口地址').fill(`${vendor.url}/deepseek/v1`);
  await dialog.getByRole('button', { name: '保存' }).click();
  await dialog.getByText('至少 8 个字符').waitFor();
  await field('密钥').fill('sk-first-12345678');
  await dialog.getByRole('button', { name: '保存' }).click();
  const card = page.getByRole('region', { name: 'DeepSeek' });
  await card.getByRole('cell', { name: 'deepseek-flash', exact: true }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  expect((await page.content()).includes('sk-first-12345678')).toBe(false);

  await card.getByRole('button', { name: '添加密钥' }).click();
  await field('标签').fill('second');
  await field('密钥').fill('sim-second-12345678');
  await field('每月预算（元）').fill('lots');
  await dialog.getByText('请填写金额').waitFor();
  await field('每月预算（元）').fill('100');
  await dialog.getByRole('button', { name: '保存' }).click();
  await dialog.waitFor({ state: 'detached' });
  await card.getByRole('cell', { name: 'second', exact: true }).waitFor();
  await card.getByRole('button', { name: '测试: default' }).click();
  await page.getByText('密钥不可用').waitFor();
  await card.getByRole('region', { name: '密钥' }).getByRole('button', { name: '停用: default' }).click();
  await card.getByRole('button', { name: '测试: second' }).click();
  await page.getByText('密钥有效').waitFor();

  await card.getByRole('button', { name: '试一下: deepseek-flash' }).click();
  await dialog.getByRole('button', { name: '发送' }).click();
  await dialog.getByText(/输入 · \d+ 输出/).waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: '阶段模型' }).click();
  // The word that something was saved may still be there from before.
  const switched = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok());
  await page.getByLabel('意图识别').selectOption('deepseek/deepseek-flash');
  await switched;
  await page.getByText('已保存').waitFor();
  await server.ask('zhangsan', 'POST', '/api/v1/chat', { session_id: 'second', message: '你好' });
  const used = (await usage('key')).groups.find(({ label }) => label === 'deepseek / second');
  expect(used).toMatchObject({ model_calls: 2, unpriced_calls: 0 });
});

test('the cost charts equal the ledger, by day, model, key and user', async () => {
  const { page } = await visit(at('/admin'), admin);
  await page.getByRole('img', { name: /每天的费用柱状图/ }).waitFor();
  for (const [title, grouping] of [
    ['按天', 'day'],
    ['按模型', 'model'],
    ['按密钥', 'key'],
    ['按用户', 'user'],
  ] as const) {
    const report = await usage(grouping);
    const card = page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
    await card.getByText('精确数字').first().click();
    const used = report.groups.filter(({ model_calls }) => model_calls > 0);
    expect(used.length).toBeGreaterThan(0);
    const costs = await card.locator('tbody tr td:last-child').allTextContents();
    expect(costs).toEqual(used.map(({ cost }) => cost));
    const pico = (cost: string) => BigInt(Math.round(Number(cost) * 1e12));
    const total = await card.locator('tfoot td:last-child').textContent();
    expect(total).toBe(report.total.cost);
    expect(costs.map(pico).reduce((sum, cost) => sum + cost, 0n)).toBe(pico(report.total.cost));
  }
  const total = (await usage('day')).total.cost;
  expect(await page.locator('dd').first().getAttribute('title')).toBe(`¥${total}`);
});

test('price cards show the band that is in force now', async () => {
  const { page } = await visit(at('/admin/prices'), { ...admin, language: 'en' });
  const title = page.getByRole('heading', { name: /deepseek\/deepseek-flash/ });
  const card = page.locator('section').filter({ has: title }).last();
  await card.getByText(/Band now: (peak|off-peak)/).waitFor();
});

test('users are found, and in development an administrator acts as one of them', async () => {
  const { page } = await visit(at('/admin/users'), admin);
  await page.getByRole('searchbox').fill('研发');
  await page.getByRole('button', { name: '以此身份: zhangsan' }).click();
  await page.getByRole('button', { name: /偏好与身份: zhangsan/ }).waitFor();
  expect(await page.getByRole('link', { name: '管理', exact: true }).count()).toBe(0);
});

test('health says that the server is ready, and how it is going', async () => {
  const { page } = await visit(at('/admin/health'), admin);
  await page.getByText('服务正常，可以接受请求').waitFor();
  await page.getByText('内嵌 PostgreSQL').waitFor();
  await page.getByText(/\d+ 完成/).waitFor();
});

describe('accessibility', () => {
  const pages = ['/admin', '/admin/models', '/admin/stages', '/admin/prices', '/admin/users', '/admin/health'];

  test.each(LANGUAGES)(
    'no page has an A or AA violation in %s, in either theme',
    { timeout: 180_000 },
    async (language) => {
      const { page } = await visit(at('/admin'), { ...admin, language });
      for (const path of pages) {
        await page.goto(at(path));
        await settled(page);
        expect(await violations(page), path).toEqual([]);
      }
      await page.goto(at('/admin/models'));
      await page.getByRole('button', { name: /添加供应商|Add a vendor/ }).click();
      await page.getByRole('dialog').waitFor();
      expect(await violations(page), 'dialog').toEqual([]);
    },
  );

  test('every page fits a phone', { timeout: 120_000 }, async () => {
    const { page } = await visit(at('/admin'), { ...admin, viewport: PHONE });
    for (const path of pages) {
      await page.goto(at(path));
      await settled(page);
      expect(await fits(page), path).toBe(true);
    }
  });
});
