import { HistoryPage } from '@kith/protocol';
import { describe, expect, test } from 'vitest';
import { answers, openBrowser, say } from './browser.ts';
import { consoleServer } from './server.ts';

const server = await consoleServer();
const visit = openBrowser();

const asks = { settings: { version: 2, safety: { approvals: { 'calendar.create': 'always' } } } };
for (const userId of ['zhangsan', 'lisi']) {
  await server.ask(userId, 'PUT', '/api/v1/users/me/profile', { username: userId, ...asks });
}
await server.ask('alice', 'PUT', '/api/v1/users/me/profile', {
  username: 'alice',
  settings: {
    version: 2,
    preferences: { ai_language: 'en', interface_language: 'en' },
    safety: { approvals: { 'calendar.create': 'always' } },
  },
});

/** What the tool was called with in the end, as the history keeps it. */
async function createdTitles(userId: string, threadId: string): Promise<unknown[]> {
  const response = await server.ask(userId, 'GET', `/api/v1/agent/history?threadId=${threadId}&limit=200`);
  const { messages } = HistoryPage.parse(await response.json());
  return messages.flatMap(({ metadata }) =>
    metadata.type === 'tool_result' && metadata.tool_name === 'calendar.create' && metadata.ui_schema
      ? metadata.ui_schema.blocks.flatMap((block) =>
          block.type === 'fields' ? block.fields.map(({ value }) => value) : [],
        )
      : [],
  );
}

describe('a call that needs approval', () => {
  test('waits through a reload and a restart of the server, and runs with the arguments as they were edited', async () => {
    const { page } = await visit(server.url);
    await say(page, '明天下午三点到四点开评审会');
    const card = page.getByRole('region', { name: '需要你确认：创建日程' });
    await card.waitFor();
    await page.reload();
    await card.waitFor();
    await page.getByRole('img', { name: '等待确认' }).waitFor();
    await server.restart();
    await page.reload();
    await card.getByLabel('标题').fill('改过的评审会');
    await card.getByRole('button', { name: '同意并执行' }).click();
    await page
      .getByRole('region', { name: /^创建日程: / })
      .getByText('改过的评审会')
      .waitFor();
    await answers(page).first().waitFor();
    expect(await card.count()).toBe(0);
    const threadId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await createdTitles('zhangsan', threadId)).toContain('改过的评审会');
    await expect.poll(() => page.getByRole('img', { name: '等待确认' }).count()).toBe(0);
  });

  test('is not done when it is rejected, and other messages are answered meanwhile', async () => {
    const { page } = await visit(server.url, { userId: 'lisi' });
    await say(page, '明天下午三点到四点开评审会');
    const card = page.getByRole('region', { name: '需要你确认：创建日程' });
    await card.waitFor();
    await say(page, '今天几号');
    await answers(page).first().waitFor();
    await card.waitFor();
    await card.getByRole('textbox', { name: '原因（可不填）' }).fill('改天再说');
    await card.getByRole('button', { name: '拒绝' }).click();
    await expect.poll(() => answers(page).count()).toBe(2);
    const threadId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await createdTitles('lisi', threadId)).toEqual([]);
  });

  test('whose edited arguments the tool refuses is not done: the mended call asks again; in English too', async () => {
    const { page } = await visit(server.url, { userId: 'alice', language: 'en' });
    await say(page, 'Schedule a design review tomorrow at 3pm');
    const card = page.getByRole('region', { name: 'Needs your approval: Create event' });
    await card.getByLabel('Start').fill('no time at all');
    await card.getByRole('button', { name: 'Approve and run' }).click();
    await expect.poll(() => card.getByLabel('Start').inputValue(), { timeout: 15_000 }).toMatch(/^\d{4}-/);
    await card.getByRole('button', { name: 'Reject' }).click();
    await answers(page).first().waitFor();
    const threadId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await createdTitles('alice', threadId)).toEqual([]);
  });
});
