import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Visit {
  userId?: string;
  isAdmin?: boolean;
  language?: 'zh' | 'en';
  theme?: 'light' | 'dark';
  viewport?: { width: number; height: number };
}

export interface Visitor {
  page: Page;
  context: BrowserContext;
}

/**
 * One Chromium for a file of tests. Every visit is a new profile; whatever the console complains of in it, above all
 * a breach of the content security policy, fails the test.
 */
export function openBrowser(): (url: string, visit?: Visit) => Promise<Visitor> {
  let browser: Promise<Browser> | undefined;
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => (await browser)?.close());
  return async (url, { userId = 'zhangsan', isAdmin = false, language = 'zh', theme = 'light', viewport } = {}) => {
    browser ??= chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: flags });
    const context = await (await browser).newContext({
      viewport: viewport ?? { width: 1280, height: 800 },
      locale: language === 'zh' ? 'zh-CN' : 'en-US',
      colorScheme: theme,
      reducedMotion: 'reduce',
    });
    contexts.push(context);
    const identity = JSON.stringify({ userId, isAdmin, token: '' });
    await context.addInitScript((text) => localStorage.setItem('kith.identity', text), identity);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // What the network does is told to the page as errors, and is part of some tests.
      const isNetwork = /net::ERR|Failed to load resource/.test(message.text());
      if (message.type() === 'error' && !isNetwork) complaints.push(message.text());
    });
    await page.goto(url);
    return { page, context };
  };
}

/** Writes into the composer and sends with Enter, as a person does. */
export async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: /^(输入消息|Message)$/ });
  await field.fill(text);
  await field.press('Enter');
}

/** The answers on the page, from top to bottom. */
export const answers = (page: Page) => page.getByRole('article', { name: 'Kith' });
