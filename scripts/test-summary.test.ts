import { expect, test } from 'vitest';
import { summaryOf } from './test-summary.ts';

const good = { status: 'passed', assertionResults: [{ status: 'passed' }] };

test('a green run counts what passed', () => {
  expect(summaryOf({ numPassedTests: 3, numFailedTests: 0, testResults: [good] }, true)).toEqual({
    passed: 3,
    failed: 0,
  });
});

test('a file that could not be loaded is a failure, though no test of it failed', () => {
  const broken = { status: 'failed', assertionResults: [] };
  expect(summaryOf({ numPassedTests: 3, numFailedTests: 0, testResults: [good, broken] }, false).failed).toBe(1);
});

test('a failed test is counted once, not again for its file', () => {
  const red = { status: 'failed', assertionResults: [{ status: 'failed' }] };
  expect(summaryOf({ numPassedTests: 3, numFailedTests: 1, testResults: [good, red] }, false).failed).toBe(1);
});

test('a run that went wrong outside of any test is never green', () => {
  expect(summaryOf({ numPassedTests: 3, numFailedTests: 0, testResults: [good] }, false).failed).toBe(1);
  expect(summaryOf(undefined, true).failed).toBe(1);
});
