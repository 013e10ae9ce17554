import { describe, expect, test } from 'vitest';
import { answers, openBrowser } from './browser.ts';
import { consoleServer } from './server.ts';

const server = await consoleServer();
const visit = openBrowser();

describe('somebody opens Kith for the first time', () => {
  test('and is told in Chinese what to try, that the simulator answers, and how to add a real key', async () => {
    const { page } = await visit(server.url, { userId: 'first-zh' });
    await page.getByRole('heading', { name: '今天想做点什么？' }).waitFor();
    expect(await page.locator('main ul button').count()).toBe(4);
    await page.getByText('现在回答你的是内置模拟器').waitFor();
    await page.getByText('DEEPSEEK_API_KEY').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await page.getByRole('button', { name: /我是谁？/ }).click();
    await answers(page).first().waitFor();
    expect(page.url()).toMatch(/\/chat\/[0-9a-f-]{36}$/);
    await page.getByRole('link', { name: '我是谁？' }).waitFor();
  });

  test('and the same in English, where the browser is English', async () => {
    const { page } = await visit(server.url, { userId: 'first-en', language: 'en' });
    await page.getByRole('heading', { name: 'What shall we do today?' }).waitFor();
    expect(await page.locator('main ul button').count()).toBe(4);
    await page.getByText('The built-in simulator is answering').waitFor();
    await page.getByText('OPENAI_API_KEY').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await page.getByRole('button', { name: /Who am I\?/ }).click();
    await answers(page).first().waitFor();
    await page.getByRole('link', { name: 'Who am I?' }).waitFor();
  });

  test('and chooses another language, another theme and another person, which the browser remembers', async () => {
    const { page, context } = await visit(server.url, { userId: 'first-zh' });
    await page.getByRole('button', { name: /偏好与身份/ }).click();
    await page.getByLabel('界面语言').selectOption('en');
    await page.getByLabel('Appearance').selectOption('dark');
    await page.getByLabel('Act as', { exact: true }).fill('lisi');
    await page.getByLabel('As an administrator').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: /Preferences and identity: lisi/ }).waitFor();
    await page.getByRole('link', { name: 'Admin' }).waitFor();
    await page.getByText('No chats yet').waitFor();
    const other = await context.newPage();
    await other.goto(server.url);
    await other.getByRole('heading', { name: 'What shall we do today?' }).waitFor();
    expect(await other.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await other.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
  });
});

test('an address that is no page says so, and a thread of somebody else does not exist', async () => {
  const { page } = await visit(`${server.url}/nowhere`);
  await page.getByText('没有这个页面').waitFor();
  await page.goto(`${server.url}/chat/not-mine`);
  await page.getByText('它可能已被删除，或者属于另一个用户。').waitFor();
});
