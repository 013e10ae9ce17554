import type { CalendarEvent, InviteStatus, UiHints } from '@kith/protocol';
import { cut, inLanguage, type Words } from '../words.ts';
import { type Reader, spanInWords } from './time-words.ts';

/** Cards of the calendar, in the user's language. */

const labels = {
  when: { zh: '时间', en: 'When' },
  title: { zh: '标题', en: 'Title' },
  location: { zh: '地点', en: 'Where' },
  participants: { zh: '参与者', en: 'Participants' },
  organizer: { zh: '组织者', en: 'Organizer' },
  repeats: { zh: '重复', en: 'Repeats' },
  description: { zh: '说明', en: 'Description' },
  answer: { zh: '我的答复', en: 'My answer' },
  conflicts: { zh: '时间冲突：', en: 'At the same time: ' },
  accept: { zh: '接受', en: 'Accept' },
  reject: { zh: '拒绝', en: 'Decline' },
} as const satisfies Record<string, Words>;
const answers: Record<InviteStatus, Words> = {
  invited: { zh: '待答复', en: 'Not answered' },
  accepted: { zh: '已接受', en: 'Accepted' },
  rejected: { zh: '已拒绝', en: 'Declined' },
};
const MOST_ROWS = 50;

export function listCard(title: string, events: readonly CalendarEvent[], reader: Reader): UiHints {
  const say = (words: Words) => inLanguage(words, reader.language);
  const rows = events.slice(0, MOST_ROWS).map((event) => ({
    when: spanInWords(event, reader),
    title: event.title,
    location: event.location ?? '',
  }));
  const columns = (['when', 'title', 'location'] as const).map((key) => ({ key, label: say(labels[key]) }));
  return {
    kind: 'calendar.list',
    title,
    blocks: rows.length > 0 ? [{ type: 'table', columns, rows }] : [],
    actions: [],
  };
}

export function eventCard(title: string, event: CalendarEvent, reader: Reader, note?: string): UiHints {
  const say = (words: Words) => inLanguage(words, reader.language);
  const field = (label: keyof typeof labels, value: string | undefined) =>
    value ? [{ label: say(labels[label]), value }] : [];
  const people = event.participants?.map((guest) => `${guest.name} (${say(answers[guest.status])})`).join(', ');
  return {
    kind: 'calendar.event',
    title,
    blocks: [
      {
        type: 'fields',
        fields: [
          ...field('title', event.title),
          ...field('when', spanInWords(event, reader)),
          ...field('location', event.location),
          ...field('repeats', event.recurrence),
          ...field('participants', people),
          ...field('organizer', event.organizer),
          ...field('answer', event.my_status && say(answers[event.my_status])),
          ...field('description', event.description && cut(event.description, 500)),
        ],
      },
      ...(note ? [{ type: 'text' as const, text: note }] : []),
    ],
    actions: event.my_status === 'invited' ? answerActions(event, reader) : [],
  };
}

function answerActions(event: CalendarEvent, { language }: Reader) {
  const say = (words: Words) => inLanguage(words, language);
  return [
    {
      label: say(labels.accept),
      message: say({ zh: `接受「${event.title}」的邀请`, en: `Accept the invitation to "${event.title}"` }),
    },
    {
      label: say(labels.reject),
      message: say({ zh: `拒绝「${event.title}」的邀请`, en: `Decline the invitation to "${event.title}"` }),
    },
  ];
}

export function conflictNote(
  conflicts: readonly { title: string; start: string; end: string }[],
  reader: Reader,
): string | undefined {
  if (conflicts.length === 0) return undefined;
  const listed = conflicts.map((conflict) => `${conflict.title} (${spanInWords(conflict, reader)})`);
  return inLanguage(labels.conflicts, reader.language) + listed.join(', ');
}
