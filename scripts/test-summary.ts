/** The part of vitest's JSON report that is counted. */
export interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

/** A file that could not even be loaded has no failed test, and an error outside of any test belongs to none: both count. */
export function summaryOf(report: Report | undefined, isGreen: boolean): { passed: number; failed: number } {
  if (!report) return { passed: 0, failed: 1 };
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = report.numFailedTests + broken.length;
  return { passed: report.numPassedTests, failed: failed === 0 && !isGreen ? 1 : failed };
}
