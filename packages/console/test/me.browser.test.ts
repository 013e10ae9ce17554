import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { fits, LANGUAGES, PHONE, settled, violations } from './accessible.ts';
import { openBrowser } from './browser.ts';
import { consoleServer } from './server.ts';

const server = await consoleServer();
const visit = openBrowser();
const at = (path: string) => `${server.url}${path}`;

const body = async (response: Response): Promise<unknown> => {
  expect(response.ok).toBe(true);
  return response.json();
};

test('settings complain as one types, at the field; what the server refuses stands at its field too', async () => {
  const { page } = await visit(at('/me'), { userId: 'settings' });
  const zone = page.getByLabel('时区');
  await zone.fill('Mars/Base');
  await page.getByText('请填写时区名称，例如 Asia/Shanghai').waitFor();
  expect(await zone.getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('国家或地区').fill('XX');
  await page.getByText('请填写两位国家代码，例如 CN').waitFor();
  await zone.fill('Europe/Paris');
  await page.getByText('请填写时区名称，例如 Asia/Shanghai').waitFor({ state: 'detached' });
  await page.getByLabel('国家或地区').fill('fr');
  await page.route('**/users/me/settings', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const problem = { type: 'about:blank', title: 'Settings are not valid', status: 400, code: 'SETTINGS_INVALID' };
    const errors = [{ field: 'preferences.ai_language', message: 'not spoken here' }];
    await route.fulfill({
      status: 400,
      contentType: 'application/problem+json',
      body: JSON.stringify({ ...problem, errors }),
    });
  });
  const save = page.getByRole('button', { name: '保存' }).nth(1);
  await save.click();
  await page.getByText('not spoken here', { exact: true }).waitFor();
  expect(await page.getByLabel('回答语言').getAttribute('aria-invalid')).toBe('true');
  await page.unroute('**/users/me/settings');
  await save.click();
  await page.getByText('已保存').waitFor();
  expect(await body(await server.ask('settings', 'GET', '/api/v1/users/me/settings'))).toMatchObject({
    preferences: { timezone: 'Europe/Paris', country: 'FR' },
  });
});

test('a profile is written down, and the preview shows exactly what the model is told', async () => {
  const { page } = await visit(at('/me'), { userId: 'profile', language: 'en' });
  await page.getByText('There is no profile yet').waitFor();
  await page.getByLabel('Email').fill('nobody');
  await page.getByText('This is not an email address').waitFor();
  await page.getByLabel('Email').fill('li@example.com');
  await page.getByLabel('Username').fill('lisi');
  await page.getByLabel('Department').fill('Design');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Saved').waitFor();
  await page.getByRole('link', { name: 'My data' }).click();
  const shown = page.getByRole('region', { name: 'What the model knows about me' });
  await shown.waitFor();
  const told = await body(await server.ask('profile', 'GET', '/api/v1/users/me/context/prompt'));
  expect(await shown.textContent()).toBe(told && typeof told === 'object' && 'prompt' in told ? told.prompt : '');
  expect(await shown.textContent()).not.toContain('li@example.com');
});

test('a memory is found, corrected and forgotten, and memory is switched off', async () => {
  for (const content of ['喜欢喝龙井茶', '住在上海']) {
    await server.ask('memory', 'POST', '/api/v1/memories', { content });
  }
  const { page } = await visit(at('/me/memory'), { userId: 'memory' });
  const item = (text: string) => page.getByRole('listitem').filter({ hasText: text });
  await item('住在上海').waitFor();
  await page.getByRole('searchbox', { name: '搜索' }).fill('龙井');
  await item('住在上海').waitFor({ state: 'detached' });
  await item('龙井茶').getByRole('button', { name: '更正' }).click();
  await page.getByRole('textbox', { name: '内容' }).fill('喜欢喝普洱茶');
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('searchbox', { name: '搜索' }).fill('');
  await item('普洱茶').waitFor();
  await item('住在上海').getByRole('button', { name: '忘记' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '忘记' }).click();
  await item('住在上海').waitFor({ state: 'detached' });
  const left = async () => JSON.stringify(await body(await server.ask('memory', 'GET', '/api/v1/memories/export')));
  await expect.poll(left).not.toContain('上海');
  await page.getByRole('switch', { name: '记住我说过的事' }).click();
  await page.getByText('记忆已关闭').waitFor();
  const settings = async () => body(await server.ask('memory', 'GET', '/api/v1/users/me/settings'));
  await expect.poll(settings).toMatchObject({ privacy: { memory_enabled: false } });
});

test('an automation is made, run now, seen in its history, paused and resumed', async () => {
  const { page } = await visit(at('/me/automations'), { userId: 'automation' });
  await page.getByRole('button', { name: '新建任务' }).click();
  await page.getByRole('button', { name: '保存' }).click();
  expect(await page.getByText('请填写', { exact: true }).count()).toBe(2);
  await page.getByLabel('名称').fill('每日简报');
  await page.getByLabel('要做什么').fill('我是谁');
  await page.getByLabel('Cron 表达式').fill('99 * * * *');
  await page.getByRole('button', { name: '保存' }).click();
  await page.locator('[aria-invalid]').waitFor();
  await page.getByRole('button', { name: '工作日 9:00' }).click();
  await page.getByRole('button', { name: '保存' }).click();
  const card = page.getByRole('region', { name: '每日简报' });
  await card.getByText(/^下次/).waitFor();
  await card.getByRole('button', { name: '立即运行' }).click();
  await card.getByText('完成').waitFor();
  await card.getByRole('button', { name: '暂停' }).click();
  await card.getByText('已暂停').waitFor();
  await card.getByRole('button', { name: '继续' }).click();
  await card.getByText('启用').waitFor();
  await card.getByRole('link', { name: '查看运行' }).click();
  await page.getByRole('heading', { name: '一次运行' }).waitFor();
});

describe('with somebody who has a little of everything', () => {
  const userId = 'everything';
  const chat = (message: string) => server.ask(userId, 'POST', '/api/v1/chat', { session_id: 'all', message });
  beforeAll(async () => {
    await server.ask(userId, 'PUT', '/api/v1/users/me/profile', { username: 'everything', display_name: '张三' });
    await server.ask(userId, 'POST', '/api/v1/contacts', { name: '李雷', department: '研发部' });
    await chat('明天下午三点开评审会议');
    await server.ask(userId, 'POST', '/api/v1/memories', { content: '喜欢喝茶' });
    await server.ask(userId, 'POST', '/api/v1/automations', {
      name: '提醒',
      prompt: '喝水',
      schedule: { type: 'interval', seconds: 7200 },
    });
    await fetch(`${server.url}/api/v1/files?name=notes.txt`, {
      method: 'POST',
      headers: { 'x-user-id': userId, 'content-type': 'application/octet-stream' },
      body: 'hello',
    });
  });

  test('the calendar shows an event by month, week and day, and tells all of it', async () => {
    const { page } = await visit(at('/me/calendar'), { userId });
    for (const view of ['月', '周', '日']) {
      await page.getByRole('link', { name: view, exact: true }).click();
      if (view === '日') await page.getByRole('button', { name: '往后' }).click();
      await page.getByRole('button', { name: /15:00.*评审会议/ }).waitFor();
    }
    await page.getByRole('button', { name: /评审会议/ }).click();
    await page.getByRole('dialog').getByText('15:00–16:00').waitFor();
  });

  test('a contact is added and removed', async () => {
    const { page } = await visit(at('/me/contacts'), { userId });
    await page.getByRole('button', { name: '添加联系人' }).click();
    await page.getByLabel('姓名').fill('韩梅梅');
    await page.getByLabel('邮箱').fill('mei');
    await page.getByText('邮箱地址不正确').waitFor();
    await page.getByLabel('邮箱').fill('mei@example.com');
    await page.getByRole('button', { name: '保存' }).click();
    await page.getByRole('cell', { name: 'mei@example.com' }).waitFor();
    await page.getByRole('button', { name: '删除: 韩梅梅' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
    await page.getByRole('cell', { name: 'mei@example.com' }).waitFor({ state: 'detached' });
  });

  test('my data is exported as one file', async () => {
    const { page } = await visit(at('/me/data'), { userId });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '导出' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^kith-everything-\d{4}-\d{2}-\d{2}\.json$/);
    const exported: unknown = JSON.parse(readFileSync(await download.path(), 'utf8'));
    expect(exported).toMatchObject({
      user_id: userId,
      profile: { display_name: '张三' },
      settings: { version: 2 },
      sessions: [{ thread_id: 'all', messages: expect.arrayContaining([expect.objectContaining({ role: 'user' })]) }],
      contacts: [{ name: '李雷' }],
      calendar: [{ title: expect.stringContaining('评审') }],
      automations: [{ name: '提醒', runs: [] }],
      files: [{ name: 'notes.txt' }],
    });
    expect(JSON.stringify(exported)).toContain('喜欢喝茶');
  });

  const pages = ['/me', '/me/memory', '/me/automations', '/me/calendar', '/me/contacts', '/me/files', '/me/data'];
  const views = [...pages, '/me/calendar?view=week', '/me/calendar?view=day'];

  test.each(LANGUAGES)(
    'no page has an A or AA violation in %s, in either theme',
    { timeout: 180_000 },
    async (language) => {
      const { page } = await visit(at('/me'), { userId, language });
      for (const path of views) {
        await page.goto(at(path));
        await settled(page);
        expect(await violations(page), path).toEqual([]);
      }
      await page.goto(at('/me/automations'));
      await page.getByRole('button', { name: /新建任务|New automation/ }).click();
      await page.getByRole('dialog').waitFor();
      expect(await violations(page), 'dialog').toEqual([]);
    },
  );

  test('every page fits a phone', { timeout: 120_000 }, async () => {
    const { page } = await visit(at('/me'), { userId, viewport: PHONE });
    for (const path of views) {
      await page.goto(at(path));
      await settled(page);
      expect(await fits(page), path).toBe(true);
    }
    expect(await violations(page)).toEqual([]);
  });
});
