import { describe, expect, test } from 'vitest';
import { answers, openBrowser, say } from './browser.ts';
import { consoleServer } from './server.ts';

/** Slow enough to be interrupted: every few words take a tenth of a second. */
const server = await consoleServer({ models: { simulator: { chunkDelayMilliseconds: 120 } } });
const visit = openBrowser();

const LONG = '写一篇关于团队协作的短文，分三段';

describe('an answer under way', () => {
  test('is stopped at once, says so, and leaves the thread ready for the next message', async () => {
    const { page } = await visit(server.url, { userId: 'stopper' });
    await say(page, LONG);
    await page.getByRole('button', { name: '停止', exact: true }).click();
    await page.getByText('已停止').first().waitFor();
    await page.reload();
    await page.getByText('已停止').first().waitFor();
    await say(page, '你好');
    await answers(page).first().waitFor();
  });

  test('goes on by itself after the network was away', async () => {
    const { page, context } = await visit(server.url, { userId: 'traveller' });
    await say(page, LONG);
    await answers(page).first().waitFor();
    await context.setOffline(true);
    await page.getByText('连接已断开，正在重连…').waitFor();
    const resumed = page.waitForRequest(
      (request) => request.url().includes('/events?') && /^\d+-0$/.test(request.headers()['last-event-id'] ?? ''),
    );
    await context.setOffline(false);
    await resumed;
    await page.getByRole('button', { name: '用量与费用' }).waitFor();
    expect(await answers(page).count()).toBe(1);
    await expect.poll(() => page.getByText('连接已断开，正在重连…').count()).toBe(0);
  });

  test('is picked up again after a reload, and ends as the history has it', async () => {
    const { page } = await visit(server.url, { userId: 'reloader' });
    await say(page, LONG);
    await page
      .getByText(/正在(理解|处理)/)
      .first()
      .waitFor();
    await page.reload();
    await page.getByRole('button', { name: '停止', exact: true }).waitFor();
    await page.getByRole('button', { name: '用量与费用' }).waitFor();
    const shown = await answers(page).first().textContent();
    await page.reload();
    await page.getByRole('button', { name: '用量与费用' }).waitFor();
    expect(await answers(page).first().textContent()).toBe(shown);
  });

  test('goes on after the server was restarted in the middle of it', async () => {
    const { page } = await visit(server.url, { userId: 'survivor' });
    await say(page, LONG);
    await answers(page).first().waitFor();
    await server.restart();
    await page.getByRole('button', { name: '用量与费用' }).waitFor({ timeout: 40_000 });
    expect(await answers(page).count()).toBe(1);
  });

  test('lets the next message be written: it is queued, shown, and answered in its turn', async () => {
    const { page } = await visit(server.url, { userId: 'hasty' });
    await say(page, LONG);
    await page.getByRole('button', { name: '停止', exact: true }).waitFor();
    await say(page, '我是谁');
    await page.getByText('排队中，前一个回答结束后开始').waitFor();
    await expect.poll(() => answers(page).count(), { timeout: 30_000 }).toBe(2);
    const said = await page
      .getByRole('article')
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
    expect(said).toEqual(['你', 'Kith', '你', 'Kith']);
  });

  test('a message sent while there is no network is kept, and goes out when there is', async () => {
    const { page, context } = await visit(server.url, { userId: 'patient' });
    await say(page, '你好');
    await answers(page).first().waitFor();
    await context.setOffline(true);
    await say(page, '今天几号');
    await page.getByText('正在发送…').waitFor();
    await context.setOffline(false);
    await expect.poll(() => answers(page).count(), { timeout: 20_000 }).toBe(2);
  });
});
