import { afterAll, expect, test } from 'vitest';
import { startSimulator } from '../../server/src/simulator/index.ts';
import { answers, openBrowser, say } from './browser.ts';
import { consoleServer } from './server.ts';

const simulator = await startSimulator();
afterAll(() => simulator.close());
const server = await consoleServer({}, simulator);
const visit = openBrowser();

test('a run that failed says why in the reader’s language, with an id to quote, after a reload too', async () => {
  simulator.control.next({ status: 400 });
  const { page } = await visit(server.url);
  await say(page, '你好');
  await page.getByText('这次没有成功').first().waitFor();
  await page.getByText('模型拒绝了这个请求。').waitFor();
  const id = await page.getByText(/^错误编号 /).textContent();
  await page.reload();
  await page.getByText('模型拒绝了这个请求。').waitFor();
  expect(await page.getByText(/^错误编号 /).textContent()).toBe(id);
  await say(page, '你好');
  await answers(page).first().waitFor();
});

test('Markdown is drawn while it is written, and as it was meant when it is done', async () => {
  const text =
    '## 要点\n\n1. **重要提示：**请看\n2. 第二\n\n```js\nconst a = 1;\n\nconst b = 2;\n```\n\n| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n\n最后一段。';
  simulator.control.script(({ stage }) =>
    stage === 'IntentResult'
      ? { json: { route: 'DIRECT_EXECUTION', intent_summary: 'x', assistant_text: text, safety_flags: [] } }
      : undefined,
  );
  const { page } = await visit(server.url, { userId: 'author' });
  await say(page, '写点东西');
  const answer = answers(page).first();
  await answer.getByText('最后一段。').waitFor();
  await page.getByRole('button', { name: '用量与费用' }).waitFor();
  expect(await answer.locator('h2').textContent()).toBe('要点');
  expect(await answer.locator('ol > li').count()).toBe(2);
  expect(await answer.locator('pre code').textContent()).toBe('const a = 1;\n\nconst b = 2;\n');
  expect(await answer.locator('td').count()).toBe(2);
  simulator.control.script(undefined);
});
