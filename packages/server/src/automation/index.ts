/** Scheduled work: jobs, when they are due, and one run per due time. */
export { type AutomationOptions, createAutomation } from './automation.ts';
export { noticeText } from './notice.ts';
export type { Automation, AutomationNotice, AutomationSubmission, FinishedRun, SubmitAutomation } from './port.ts';
export { type KeptSchedule, type Schedule, scheduleOf } from './schedule/schedule.ts';
