import type { AutomationNotice } from './port.ts';

/** What a user is told when a job has paused itself, in the language that the agent speaks to them. */
export function noticeText({ name, failures, error }: AutomationNotice, language: string): string {
  if (/^zh\b/i.test(language)) {
    return `自动任务「${name}」连续失败 ${failures} 次，已自动暂停。最后一次的原因：${error}。处理好以后请恢复它。`;
  }
  return `The automation “${name}” has failed ${failures} times in a row and has paused itself. The last reason: ${error}. Resume it when that is mended.`;
}
