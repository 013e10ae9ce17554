import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildConsole } from './build-console.ts';
import { run } from './run.ts';
import { ensureTestPrograms } from './test-programs.ts';
import { type Report, summaryOf } from './test-summary.ts';

/** `npm test`: the checks, then every test. Its last line is `N passed, N failed`. */
const steps: [name: string, step: () => boolean][] = [
  ['lint and format', () => run('biome', ['check', '.'])],
  ['rooms', () => run('node', ['scripts/check-rooms.ts'])],
  ['types', () => run('tsc', ['--noEmit'])],
  ['programs for the tests', ensureTestPrograms],
  ['console', buildConsole],
];
const failedSteps = steps.filter(([, step]) => !step()).map(([name]) => name);

const folder = mkdtempSync(join(tmpdir(), 'kith-report-'));
const file = join(folder, 'report.json');
const only = process.argv.slice(2);
const isGreen = run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...only]);
const { passed, failed } = summaryOf(readReport(file), isGreen);
rmSync(folder, { recursive: true, force: true });

for (const name of failedSteps) process.stdout.write(`failed: ${name}\n`);
process.stdout.write(`${passed} passed, ${failed + failedSteps.length} failed\n`);
process.exitCode = failed + failedSteps.length > 0 ? 1 : 0;

function readReport(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
