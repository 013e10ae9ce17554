import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { Config } from '../packages/server/src/config/index.ts';
import { startKith } from '../packages/server/src/main.ts';
import { createLog } from '../packages/server/src/observability/index.ts';

/** Makes the pictures of the READMEs from the running product: a real server, the built console, the simulator's answers. */
const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'kith-screenshots-'));
const kith = await startKith(Config.parse({ home, server: { port: 0 } }), {
  log: createLog('silent'),
  environment: {},
});
const url = kith.url ?? '';
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
});

const people = {
  zh: { id: 'zhangsan', name: '张三', department: '研发部', tag: 'zh-CN', contact: '李雷' },
  en: { id: 'alice', name: 'Alice', department: 'Research', tag: 'en-US', contact: 'Li Lei' },
} as const;
const words = {
  zh: ['我是谁', '查一下明天的日程和李雷的联系方式，然后安排周五下午两点和他开会', '我喜欢喝绿茶'],
  en: ['Who am I?', 'schedule lunch with Li Lei on Friday at noon', 'what is on my calendar on Friday?'],
} as const;

try {
  for (const language of ['zh', 'en'] as const) {
    await introduce(language);
    const theme = language === 'zh' ? 'light' : 'dark';
    const page = await visit(language, theme);
    for (const text of words[language]) await ask(page, text);
    await page.screenshot({ path: join(folder, `chat-${language}.png`) });
    await page.goto(`${url}/runs`);
    await page.waitForLoadState('networkidle');
    await page.getByRole('row').nth(2).getByRole('link').first().click();
    await page
      .getByText(/planner|规划/i)
      .first()
      .waitFor();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(folder, `run-${language}.png`) });
    await page.context().close();
  }
} finally {
  await browser.close();
  await kith.close();
  rmSync(home, { recursive: true, force: true });
}

async function introduce(language: 'zh' | 'en'): Promise<void> {
  const person = people[language];
  await send(person.id, 'PUT', '/api/v1/users/me/profile', {
    username: person.id,
    display_name: person.name,
    department: person.department,
    settings: { version: 2, preferences: { ai_language: person.tag, interface_language: person.tag } },
  });
  await send(person.id, 'POST', '/api/v1/contacts', { name: person.contact, department: person.department });
}

async function send(userId: string, method: string, path: string, body: unknown): Promise<void> {
  const headers = { 'x-user-id': userId, 'content-type': 'application/json' };
  const response = await fetch(new URL(path, url), { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
}

async function visit(language: 'zh' | 'en', theme: 'light' | 'dark'): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 2,
    locale: people[language].tag,
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  const identity = JSON.stringify({ userId: people[language].id, isAdmin: true, token: '' });
  await context.addInitScript((text) => localStorage.setItem('kith.identity', text), identity);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function ask(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: /^(输入消息|Message)$/ });
  const isOver = page.waitForResponse((response) => /\/events\?/.test(response.url()), { timeout: 60_000 });
  await field.fill(text);
  await field.press('Enter');
  await (await isOver).finished();
  await page.waitForTimeout(800);
}
