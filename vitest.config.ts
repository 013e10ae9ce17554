import { defineConfig } from 'vitest/config';

/** A machine that is busy with something else gets a second chance; a behaviour that is broken stays broken. */
const retry = 1;

/** Nothing in the rooms lives in a module: files of one worker share what they have loaded. */
const isolate = false;

/** `*.db.test.ts` run on both databases; everything else once. Pages have a project of their own, because they need Chromium. */
const database = (name: 'embedded' | 'postgres') => ({
  test: {
    name,
    include: ['packages/*/{src,test}/**/*.db.test.ts'],
    globalSetup: [`packages/server/test/${name}.setup.ts`],
    isolate,
    retry,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/{src,test}/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['**/*.db.test.ts', '**/*.browser.test.ts', '**/node_modules/**'],
          isolate,
          retry,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      database('embedded'),
      database('postgres'),
      {
        test: {
          name: 'browser',
          include: ['packages/console/test/**/*.browser.test.ts'],
          globalSetup: ['packages/console/test/browser.setup.ts'],
          retry,
          testTimeout: 90_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
