import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { answers, openBrowser, say } from './browser.ts';
import { consoleServer } from './server.ts';

const folder = inject('consoleFolder');
const KB = 1000;

interface Chunk {
  file: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
}
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
const weight = (file: string): number => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length;

/** A chunk and everything that must be there before it runs. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const imported of manifest[name]?.imports ?? []) withImports(imported, seen);
  return seen;
}
const filesOf = (names: Iterable<string>) => [...names].map((name) => manifest[name]?.file ?? '');
const sum = (files: readonly string[]) => files.reduce((total, file) => total + weight(file), 0);

describe('what is sent, gzipped', () => {
  const [entry = ''] = Object.entries(manifest).find(([, chunk]) => chunk.isEntry) ?? [];
  const first = withImports(entry);

  test('is at most 150 kB of script before the first page', () => {
    const bytes = sum(filesOf(first));
    console.info(`first load: ${(bytes / KB).toFixed(1)} kB`);
    expect(bytes).toBeLessThanOrEqual(150 * KB);
  });

  test('is at most 75 kB more for any page, and for any part that a page brings in later', () => {
    const parts = Object.entries(manifest).flatMap(([from, chunk]) =>
      (chunk.dynamicImports ?? []).map((name) => ({ from, name })),
    );
    expect(parts.length).toBeGreaterThan(3);
    for (const { from, name } of parts) {
      const there = withImports(from, new Set(first));
      const bytes = sum(filesOf([...withImports(name)].filter((each) => !there.has(each))));
      console.info(`${name}: ${(bytes / KB).toFixed(1)} kB`);
      expect(bytes, name).toBeLessThanOrEqual(75 * KB);
    }
  });

  test('is at most 15 kB of style', () => {
    const styles = new Set(Object.values(manifest).flatMap((chunk) => chunk.css ?? []));
    const bytes = sum([...styles]);
    console.info(`style: ${(bytes / KB).toFixed(1)} kB`);
    expect(bytes).toBeLessThanOrEqual(15 * KB);
  });
});

describe('a thread of 1,000 messages', async () => {
  const server = await consoleServer();
  const visit = openBrowser();
  const { sql } = server.kith().database;
  const thread = 'a-thousand';
  await sql`
    with session as (
      insert into sessions (user_id, thread_id, title, message_head, billing_country_snapshot)
      values ('reader', ${thread}, '一千条', 1000, 'CN') returning id)
    insert into messages (session_id, run_id, turn, seq, role, content, metadata, visibility_mask, currency)
    select id, 'run-' || (n / 2), n / 2, n, case when n % 2 = 0 then 'user' else 'assistant' end,
      '第 ' || n || ' 条：' || repeat('一段 **不太短** 的文字，有 [链接](https://example.com) 和 \`代码\`。', n % 5 + 1),
      case when n % 2 = 0 then '{"type":"user_input"}'::jsonb else '{"type":"assistant_output","stage":"worker"}'::jsonb end, 3, 'CNY'
    from session, generate_series(1, 1000) as n`;

  /** Opens it and scrolls up until the first message is there. */
  async function openWhole(): Promise<Page> {
    const { page } = await visit(`${server.url}/chat/${thread}`, { userId: 'reader' });
    await page.getByText(/^第 1000 条/).waitFor();
    await page.getByRole('region', { name: '对话内容' }).hover();
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, -20_000);
          return page.getByText(/^第 1 条/).count();
        },
        { timeout: 45_000 },
      )
      .toBe(1);
    return page;
  }
  const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length);

  test('keeps the page under 1,500 nodes, at both ends; scrolling, typing and the first token stay quick', async () => {
    const page = await openWhole();
    const atTop = await nodes(page);
    console.info(`scrolling: ${await scrollTimes(page)}`);
    await page.getByRole('button', { name: '回到最新' }).click();
    await page.getByText(/^第 1000 条/).waitFor();
    const atEnd = await nodes(page);
    console.info(`nodes: ${atTop} at the top, ${atEnd} at the end`);
    expect(Math.max(atTop, atEnd)).toBeLessThan(1500);
    console.info(`typing: ${await typingTimes(page)}`);
    await say(page, '你好');
    await answers(page).last().waitFor();
    console.info(`first token after sending: ${await firstToken(page)} ms`);
    expect(await nodes(page)).toBeLessThan(1500);
  });
});

/** From one frame to the next, while the thread goes by a third of the screen at a time. */
function scrollTimes(page: Page): Promise<string> {
  return page.getByRole('region', { name: '对话内容' }).evaluate(async (region) => {
    const times: number[] = [];
    let last = performance.now();
    for (let frame = 0; frame < 100; frame++) {
      region.scrollBy({ top: 250, behavior: 'instant' });
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      times.push(now - last);
      last = now;
    }
    times.sort((left, right) => left - right);
    return `p50 ${times[50]?.toFixed(0)} ms, p95 ${times[95]?.toFixed(0)} ms`;
  });
}

/** From a key to the frame after it, for some forty keys. */
function typingTimes(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const field = document.querySelector('textarea');
    if (!field) return 'no field';
    const setValue = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set;
    const times: number[] = [];
    for (let key = 0; key < 40; key++) {
      const start = performance.now();
      setValue?.call(field, `${field.value}字`);
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      times.push(performance.now() - start);
    }
    setValue?.call(field, '');
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    times.sort((left, right) => left - right);
    return `p50 ${times[20]?.toFixed(0)} ms, p95 ${times[38]?.toFixed(0)} ms`;
  });
}

/** From the request of the run to the answer on the page, as the browser's own clock has it. */
async function firstToken(page: Page): Promise<number> {
  const count = await answers(page).count();
  const start = Date.now();
  await say(page, '我是谁');
  await expect.poll(() => answers(page).count(), { interval: 5, timeout: 10_000 }).toBeGreaterThan(Math.min(count, 1));
  return Date.now() - start;
}
