import { Temporal } from 'temporal-polyfill';
import { type CalendarEvent, eventsIn } from '../intents/results.ts';
import { formatDay, formatRange, formatSpan, formatTime, localTime } from '../language/format.ts';
import type { Reading } from '../language/reading.ts';
import { asRecord } from '../prompt/json.ts';
import { type Report, text, texts } from './report.ts';

export const tellEvents: Report = (call, result, reading) => {
  const { say } = reading;
  const events = eventsIn(result);
  const when = periodOf(call.input, reading);
  if (events.length === 0)
    return { text: say(`${when}没有日程。`, `There is nothing on your calendar${spaced(when)}.`) };
  const heading = say(
    `${when}共有 ${events.length} 个日程：`,
    `You have ${events.length} ${events.length === 1 ? 'event' : 'events'}${spaced(when)}:`,
  );
  return {
    text: [heading, ...events.map((event) => `- ${eventLine(event, reading)}`)].join('\n'),
    table: {
      columns: [
        say('日期', 'Date'),
        say('时间', 'Time'),
        say('标题', 'Title'),
        say('地点', 'Location'),
        say('参与者', 'Participants'),
      ],
      rows: events.map((event) => eventRow(event, reading)),
    },
  };
};

const spaced = (when: string) => (when ? ` ${when}` : '');

/** 明天（11月17日 周二） · on Tue, Nov 17 */
function periodOf(input: Record<string, unknown>, reading: Reading): string {
  const { say } = reading;
  try {
    if (input.mode === 'day') {
      const day = Temporal.PlainDate.from(text(input.date));
      return say(`${formatDay(day, reading)} `, `on ${formatDay(day, reading)}`);
    }
    if (input.mode === 'range') {
      const start = localTime(text(input.start), reading)?.toPlainDate();
      const end = localTime(text(input.end), reading)?.toPlainDate();
      if (start && end)
        return say(`${formatRange({ start, end }, reading)} `, `from ${formatRange({ start, end }, reading)}`);
    }
  } catch {
    // a date that is none: the answer goes without it
  }
  const query = text(input.query);
  return query ? say(`与「${query}」有关的，`, `about "${query}"`) : '';
}

function eventLine(event: CalendarEvent, reading: Reading): string {
  const people = participantNames(event);
  const extras = [event.location ?? '', people].filter(Boolean).join(reading.say('，', ', '));
  const span = event.start ? `${formatSpan(event, reading)} ` : '';
  return `${span}${event.title}${extras ? reading.say(`（${extras}）`, ` (${extras})`) : ''}`;
}

function eventRow(event: CalendarEvent, reading: Reading): string[] {
  const start = localTime(event.start, reading);
  const end = localTime(event.end, reading);
  const day = start ? start.toPlainDate().toString() : '';
  const time = event.all_day
    ? reading.say('全天', 'all day')
    : [start, end].flatMap((at) => (at ? [formatTime(at.toPlainTime())] : [])).join('–');
  return [day, time, event.title, event.location ?? '', participantNames(event)];
}

const participantNames = (event: CalendarEvent): string =>
  (event.participants ?? []).flatMap(({ name }) => (name ? [name] : [])).join('、');

export const tellCreated: Report = ({ input, about }, result, reading) => {
  const { say } = reading;
  const title = text(input.title);
  const span = formatSpan({ start: text(input.start), end: text(input.end), all_day: input.all_day === true }, reading);
  const place = text(input.location);
  const guests = Array.isArray(input.participants) ? input.participants.length : 0;
  const conflicts = conflictTitles(result);
  const strangers = texts(about.strangers);
  const lines = [
    say(
      `已创建日程「${title}」：${span}${place ? `，地点 ${place}` : ''}。`,
      `Created "${title}": ${span}${place ? `, at ${place}` : ''}.`,
    ),
    guests > 0 &&
      say(`已邀请 ${guests} 位参与者。`, `${guests} ${guests === 1 ? 'participant is' : 'participants are'} invited.`),
    strangers.length > 0 &&
      say(
        `联系人里没有找到${strangers.join('、')}，所以没有邀请。`,
        `${strangers.join(', ')} is not in your contacts, so no invitation was sent.`,
      ),
    text(input.recurrence) && say('它会按设定重复。', 'It repeats as you said.'),
    conflicts.length > 0 &&
      say(
        `注意：与${conflicts.map((one) => `「${one}」`).join('、')}时间冲突。`,
        `Note: it conflicts with ${conflicts.map((one) => `"${one}"`).join(', ')}.`,
      ),
  ];
  return { text: lines.filter((line) => typeof line === 'string' && line !== '').join('\n') };
};

function conflictTitles(result: unknown): string[] {
  const conflicts = asRecord(result)?.conflicts;
  return (Array.isArray(conflicts) ? conflicts : []).map(
    (conflict) => text(asRecord(conflict)?.title) || text(asRecord(conflict)?.event_id) || '…',
  );
}

export const tellUpdated: Report = ({ input, about }, result, reading) => {
  const { say } = reading;
  const title = named(about.title, reading);
  const conflicts = conflictTitles(result);
  const allDay = /^\d{4}-\d{2}-\d{2}$/.test(text(input.start));
  const span = formatSpan({ start: text(input.start), end: text(input.end), all_day: allDay }, reading);
  const changes = [
    text(input.start) && say(`改到 ${span}`, `is now ${span}`),
    text(input.title) && say(`改名为「${text(input.title)}」`, `is now called "${text(input.title)}"`),
    text(input.location) && say(`地点改为 ${text(input.location)}`, `is now at ${text(input.location)}`),
  ];
  const what = changes.filter(Boolean).join(say('，', ' and ')) || say('已更新', 'is updated');
  const warning =
    conflicts.length > 0
      ? say(`注意：与${conflicts.join('、')}时间冲突。`, ` Note: it conflicts with ${conflicts.join(', ')}.`)
      : '';
  return { text: say(`已把${title}${what}。${warning}`, `${title} ${what}.${warning}`) };
};

export const tellDeleted: Report = ({ about }, _result, reading) => {
  const when = text(about.when);
  return {
    text: reading.say(
      `已删除${named(about.title, reading)}${when ? `（${when}）` : ''}。`,
      `${named(about.title, reading)}${when ? ` (${when})` : ''} is deleted.`,
    ),
  };
};

export const tellShared: Report = ({ about }, _result, reading) => {
  const { say } = reading;
  const people = texts(about.people).join(say('、', ', '));
  const strangers = texts(about.strangers);
  const missing =
    strangers.length > 0
      ? say(`（联系人里没有${strangers.join('、')}）`, ` (not in your contacts: ${strangers.join(', ')})`)
      : '';
  return {
    text: say(
      `已把${named(about.title, reading)}通知${people || '参与者'}。${missing}`,
      `${people || 'The participants'} ${people.includes(',') ? 'have' : people ? 'has' : 'have'} been invited to ${named(about.title, reading)}.${missing}`,
    ),
  };
};

export const tellAccepted: Report = ({ about }, _result, reading) => ({
  text: reading.say(
    `已接受${named(about.title, reading)}的邀请。`,
    `You accepted the invitation to ${named(about.title, reading)}.`,
  ),
});

export const tellDeclined: Report = ({ about }, _result, reading) => ({
  text: reading.say(
    `已婉拒${named(about.title, reading)}的邀请。`,
    `You declined the invitation to ${named(about.title, reading)}.`,
  ),
});

function named(title: unknown, { say }: Reading): string {
  const known = text(title);
  return known ? say(`「${known}」`, `"${known}"`) : say('这个日程', 'the event');
}
