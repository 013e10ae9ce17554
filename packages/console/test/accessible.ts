import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe finds wrong in either theme, as lines a person can act on. */
export async function violations(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await found(new AxeBuilder({ page }).withTags(AA));
  // The themes differ in colours and in nothing else.
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await found(new AxeBuilder({ page }).withRules('color-contrast'));
  return [...light, ...dark.map((line) => `dark: ${line}`)];
}

async function found(axe: AxeBuilder): Promise<string[]> {
  // The console has no frames; for them, axe would open another page each time.
  const { violations } = await axe.setLegacyMode().analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}

/** Nothing hangs over the edge of the screen, nor of the part that scrolls up and down. */
export const fits = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const scrolling = [document.documentElement, ...document.querySelectorAll('.overflow-y-auto')];
    return scrolling.every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
  });

export const LANGUAGES = ['zh', 'en'] as const;

export const PHONE = { width: 360, height: 720 };

/** Once nothing more is loading. */
export const settled = (page: Page): Promise<void> => page.waitForLoadState('networkidle');
