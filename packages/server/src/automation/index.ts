/** Scheduled work: jobs, when they are due, and one run per due time. */
export type { Automation, AutomationSubmission, FinishedRun, SubmitAutomation } from './port.ts';
