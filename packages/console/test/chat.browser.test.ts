import { HistoryPage, UsageTotals } from '@kith/protocol';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { answers, openBrowser, say } from './browser.ts';
import { consoleServer } from './server.ts';

const server = await consoleServer();
const visit = openBrowser();

const profile = { username: 'zhangsan', display_name: '张三', department: '研发部', role: '工程师' };
await server.ask('zhangsan', 'PUT', '/api/v1/users/me/profile', profile);

const threadOf = (page: Page): string => decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '');

describe('a conversation', () => {
  test('knows who is asking: 我是谁', async () => {
    const { page } = await visit(server.url);
    await page.getByRole('heading', { name: '张三，今天想做点什么？' }).waitFor();
    await say(page, '我是谁');
    await answers(page).getByText('张三').waitFor();
    await answers(page).getByText('研发部').waitFor();
  });

  test('shows three tools’ results as cards under their Chinese names, then the answer and what to ask next', async () => {
    const { page } = await visit(server.url);
    await say(page, '明天下午三点和李四开会，另外看看明天还有什么安排，再帮我找一下李四的联系方式');
    await answers(page).first().waitFor();
    for (const name of [/^创建日程: /, /^读取日程: /, /^读取联系人: /]) {
      await page.getByRole('region', { name }).waitFor();
    }
    const steps = page.getByRole('list', { name: '步骤' });
    expect(await steps.textContent()).toContain('创建日程');
    const suggestion = page.getByRole('list', { name: '可以接着问' }).getByRole('button').first();
    const said = await suggestion.textContent();
    await suggestion.click();
    await expect.poll(() => answers(page).count()).toBe(2);
    expect(said).not.toBe('');
  });

  test('names tools in English for an English reader', async () => {
    const { page } = await visit(server.url, { userId: 'alice', language: 'en' });
    await server.ask('alice', 'PUT', '/api/v1/users/me/profile', {
      username: 'alice',
      settings: { version: 2, preferences: { ai_language: 'en', interface_language: 'en' } },
    });
    await say(page, 'What is on my calendar tomorrow?');
    await answers(page).first().waitFor();
    await page.getByRole('region', { name: /^Read calendar: / }).waitFor();
  });

  test('tells tokens, cache hits and cost of an answer on demand, and the total of the session, as the ledger has them', async () => {
    const { page } = await visit(server.url);
    await say(page, '记住：我喜欢把会议安排在上午');
    await answers(page).first().waitFor();
    await page.getByRole('button', { name: /^本次对话: ¥/ }).waitFor();
    const path = `/api/v1/agent/sessions/${threadOf(page)}/usage`;
    const usage = UsageTotals.parse(await (await server.ask('zhangsan', 'GET', path)).json());
    await page.getByRole('button', { name: '用量与费用' }).click();
    const details = page.getByRole('dialog', { name: '用量与费用' });
    await details.getByText(`${new Intl.NumberFormat('zh-CN').format(usage.input_tokens)}`).waitFor();
    await expect.poll(() => details.getByTitle(`¥${usage.cost}`).count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^本次对话: ¥/ }).click();
    await expect.poll(() => page.getByRole('dialog').getByTitle(`¥${usage.cost}`).count()).toBe(1);
  });

  test('notes in the margin what it has learned, after the answer and after a reload', async () => {
    const { page } = await visit(server.url);
    await say(page, '我喜欢喝乌龙茶');
    await answers(page).first().waitFor();
    await page
      .getByText(/^已记住：.*乌龙茶/)
      .first()
      .waitFor();
    await page.reload();
    await page
      .getByText(/^已记住：.*乌龙茶/)
      .first()
      .waitFor();
  });

  test('does not send on Enter while an input method composes, nor on Shift+Enter', async () => {
    const { page } = await visit(server.url);
    const field = page.getByRole('textbox', { name: '输入消息' });
    await field.fill('ni hao');
    await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true, bubbles: true });
    await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true });
    await field.press('Shift+Enter');
    expect(await field.inputValue()).toBe('ni hao\n');
    expect(new URL(page.url()).pathname).toBe('/');
    await field.fill('你好');
    await field.press('Enter');
    await answers(page).first().waitFor();
  });

  test('is set in type: bold beside Chinese, tables, no HTML, links that open elsewhere', async () => {
    const { page } = await visit(server.url);
    await say(page, '你好');
    await answers(page).first().waitFor();
    const { sql } = server.kith().database;
    const text =
      '**重要提示：**请看 [这里](https://example.com)\n\n| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n\n<b id="raw">x</b> [坏](javascript:alert(1))';
    await sql`update messages set content = ${text} where role = 'assistant' and session_id = (
      select id from sessions where thread_id = ${threadOf(page)})`;
    await page.reload();
    await answers(page).locator('strong', { hasText: '重要提示：' }).waitFor();
    await answers(page).locator('td', { hasText: '2' }).waitFor();
    const link = answers(page).getByRole('link', { name: '这里' });
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
      '_blank',
      'noreferrer noopener',
    ]);
    expect(await page.locator('#raw').count()).toBe(0);
    expect(await answers(page).locator('a', { hasText: '坏' }).getAttribute('href')).toBe('');
  });
});

describe('the list of chats', () => {
  test('is searched, renamed and deleted in', async () => {
    const { page } = await visit(server.url, { userId: 'keeper' });
    await say(page, '你好');
    await answers(page).first().waitFor();
    await page.goto(server.url);
    await say(page, '今天几号');
    await answers(page).first().waitFor();
    const list = page.getByRole('region', { name: '历史对话' });
    await list.getByRole('link', { name: '你好' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('几号');
    await expect.poll(() => list.getByRole('link', { name: '你好' }).count()).toBe(0);
    await list.getByRole('button', { name: '「今天几号」的更多操作' }).click();
    await page.getByRole('menuitem', { name: '重命名' }).click();
    await page.getByLabel('标题').fill('几号来着');
    await page.getByRole('button', { name: '保存' }).click();
    await list.getByRole('link', { name: '几号来着' }).waitFor();
    await page.getByRole('heading', { name: '几号来着' }).waitFor();
    await list.getByRole('button', { name: '「几号来着」的更多操作' }).click();
    await page.getByRole('menuitem', { name: '删除' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
    await list.getByText('没有找到').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });
});

test('a long history is loaded from its end, and older messages come when one scrolls up', async () => {
  const { page } = await visit(server.url, { userId: 'reader' });
  await say(page, '你好');
  await answers(page).first().waitFor();
  const thread = threadOf(page);
  const { sql } = server.kith().database;
  await sql`
    with session as (update sessions set message_head = message_head + 200 where thread_id = ${thread} returning id, message_head)
    insert into messages (session_id, run_id, turn, seq, role, content, metadata, visibility_mask, currency)
    select id, 'run-' || (n / 2), 1, message_head - 200 + n, case when n % 2 = 0 then 'user' else 'assistant' end, '第 ' || n || ' 条',
      case when n % 2 = 0 then '{"type":"user_input"}'::jsonb else '{"type":"assistant_output","stage":"worker"}'::jsonb end, 3, 'CNY'
    from session, generate_series(1, 200) as n`;
  await page.reload();
  await page.getByText('第 199 条').waitFor();
  expect(await page.getByText('第 10 条', { exact: true }).count()).toBe(0);
  const list = page.getByRole('region', { name: '对话内容' });
  await list.hover();
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, -4000);
        return page.getByText('第 10 条', { exact: true }).count();
      },
      { timeout: 20_000 },
    )
    .toBe(1);
  const history = await server.ask('reader', 'GET', `/api/v1/agent/history?threadId=${thread}&limit=1`);
  expect(HistoryPage.parse(await history.json()).messages).toHaveLength(1);
  await page.getByRole('button', { name: '回到最新' }).click();
  await page.getByText('第 199 条').waitFor();
});
