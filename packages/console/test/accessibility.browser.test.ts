import { describe, expect, test } from 'vitest';
import { fits, LANGUAGES, PHONE, violations } from './accessible.ts';
import { answers, openBrowser, say } from './browser.ts';
import { consoleServer } from './server.ts';

const server = await consoleServer();
const visit = openBrowser();

const SAYINGS = {
  zh: ['明天下午三点和李雷开会', '取消明天和李雷的会议'],
  en: ['Schedule lunch with Li Lei on Friday at noon', 'cancel my lunch with Li Lei'],
} as const;

for (const language of LANGUAGES) {
  describe(`in ${language}, in either theme`, () => {
    const userId = `reader-${language}`;

    test('the first visit, the preferences and the list of shortcuts have no A or AA violation', async () => {
      const { page } = await visit(server.url, { userId, language, isAdmin: true });
      await page.getByText('DEEPSEEK_API_KEY').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: new RegExp(userId) }).click();
      await page.getByRole('dialog').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { level: 1 }).click();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      expect(await violations(page)).toEqual([]);
    });

    test('nor has a conversation with cards, an approval, a menu and details', async () => {
      const tag = language === 'zh' ? 'zh-CN' : 'en';
      await server.ask(userId, 'PUT', '/api/v1/users/me/profile', {
        username: userId,
        settings: { version: 2, preferences: { ai_language: tag, interface_language: tag } },
      });
      const { page } = await visit(server.url, { userId, language });
      await say(page, SAYINGS[language][0]);
      await answers(page).first().waitFor();
      await say(page, SAYINGS[language][1]);
      await page.getByRole('region', { name: language === 'zh' ? /确认/ : /approval/ }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: /更多操作|More about/ }).click();
      await page.getByRole('menu').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^(本次对话|This chat)/ }).click();
      await page.getByRole('dialog').waitFor();
      expect(await violations(page)).toEqual([]);
    });

    test('nor has either on a phone', async () => {
      const { page } = await visit(server.url, { userId, language, viewport: PHONE });
      await page.getByText('DEEPSEEK_API_KEY').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: /打开侧栏|Open the sidebar/ }).click();
      await page.getByRole('searchbox').waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await fits(page)).toBe(true);
    });
  });
}

test('everything can be done with the keyboard alone', async () => {
  const { page } = await visit(server.url, { userId: 'keys' });
  await page.getByText('DEEPSEEK_API_KEY').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('body').press('Tab');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('你好');
  await page.keyboard.press('Enter');
  await answers(page).first().waitFor();
  await page.keyboard.press('Control+Shift+O');
  await page.getByRole('heading', { name: /今天想做点什么？/ }).waitFor();
  await page.keyboard.press('Control+k');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await answers(page).first().waitFor();
});
