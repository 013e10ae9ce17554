import type { SuggestedAction } from '@kith/protocol';
import type { Reading } from '../language/reading.ts';
import type { ReportedCall } from './report.ts';

interface Suggestion {
  title: { zh: string; en: string };
  message: { zh: string; en: string };
}

const thisWeek: Suggestion = {
  title: { zh: '查看日程', en: 'Show calendar' },
  message: { zh: '帮我查一下我本周的日程', en: "What's on my calendar this week?" },
};
const SUGGESTIONS: Readonly<Record<string, Suggestion>> = {
  'calendar.read': {
    title: { zh: '下周日程', en: 'Next week' },
    message: { zh: '帮我查一下我下周的日程', en: "What's on my calendar next week?" },
  },
  'calendar.create': thisWeek,
  'calendar.update': thisWeek,
  'memory.update': {
    title: { zh: '你知道我什么', en: 'What you know' },
    message: { zh: '你知道我什么？', en: 'What do you know about me?' },
  },
};

/** What one might want next, by what was just done. */
export function suggestions(calls: readonly ReportedCall[], { say }: Reading): SuggestedAction[] {
  const last = calls.findLast((call) => call.shown && call.status === 'success')?.tool ?? '';
  const found = SUGGESTIONS[last];
  return found
    ? [{ title: say(found.title.zh, found.title.en), message: say(found.message.zh, found.message.en) }]
    : [];
}
