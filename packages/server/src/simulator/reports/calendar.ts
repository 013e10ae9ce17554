import { Temporal } from 'temporal-polyfill';
import { type CalendarEvent, eventsIn } from '../intents/results.ts';
import { formatDay, formatSpan, formatTime, localTime } from '../language/format.ts';
import type { Reading } from '../language/reading.ts';
import { asRecord } from '../prompt/json.ts';
import { type Report, text, texts } from './report.ts';

export const tellEvents: Report = (call, result, reading) => {
  const { say } = reading;
  const { next, invited } = call.about;
  const events = eventsIn(result).filter((event) => !invited || event.my_status === 'invited');
  if (next) return { text: nextEvent(events, reading) };
  if (invited && events.length === 0)
    return { text: say('没有等你答复的邀请。', 'There is no invitation that waits for your answer.') };
  const when = periodOf(call.input, reading);
  if (events.length === 0)
    return { text: say(`${when}没有日程。`, `There is nothing on your calendar${spaced(when)}.`) };
  const heading = invited
    ? say('这些邀请在等你答复：', 'Waiting for your answer:')
    : say(
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

/** Of what is ahead, the first that has not begun. */
function nextEvent(events: readonly CalendarEvent[], reading: Reading): string {
  const { say, now } = reading;
  const next = events.find((event) => {
    const start = localTime(event.start, reading);
    return start && Temporal.ZonedDateTime.compare(start, now) > 0;
  });
  if (!next) return say('接下来一个月没有日程。', 'There is nothing on your calendar in the coming month.');
  return say(`下一个日程是：${eventLine(next, reading)}`, `Your next event: ${eventLine(next, reading)}`);
}

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
        return period(formatDay(start, reading), formatDay(end.subtract({ days: 1 }), reading), reading);
    }
  } catch {
    // a date that is none: the answer goes without it
  }
  const query = text(input.query);
  return query ? say(`与「${query}」有关的，`, `about "${query}"`) : '';
}

function period(first: string, last: string, { say }: Reading): string {
  return first === last ? say(`${first} `, `on ${first}`) : say(`${first} 至 ${last} `, `from ${first} to ${last}`);
}

function eventLine(event: CalendarEvent, reading: Reading): string {
  const people = participantNames(event, reading);
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
  return [day, time, event.title, event.location ?? '', participantNames(event, reading)];
}

const participantNames = (event: CalendarEvent, { say }: Reading): string =>
  (event.participants ?? []).flatMap(({ name }) => (name ? [name] : [])).join(say('、', ', '));

export const tellCreated: Report = ({ input, about }, result, reading) => {
  const { say } = reading;
  const title = text(input.title);
  const span = formatSpan({ start: text(input.start), end: text(input.end), all_day: input.all_day === true }, reading);
  const place = text(input.location);
  const guests = texts(about.guests).join(say('、', ', '));
  const conflicts = conflictTitles(result);
  const strangers = texts(about.strangers);
  const lines = [
    say(
      `已创建日程「${title}」：${span}${place ? `，地点 ${place}` : ''}。`,
      `Created "${title}": ${span}${place ? `, at ${place}` : ''}.`,
    ),
    guests && say(`已邀请${guests}。`, `Invited: ${guests}.`),
    strangers.length > 0 &&
      say(
        `联系人里没有找到${strangers.join('、')}，所以没有邀请。`,
        `Not in your contacts, and so not invited: ${strangers.join(', ')}.`,
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
    text(input.location) && say(`的地点改为 ${text(input.location)}`, `is now at ${text(input.location)}`),
  ];
  const what = changes.filter(Boolean).join(say('，', ' and ')) || say('已更新', 'is updated');
  const warning =
    conflicts.length > 0
      ? say(`注意：与${conflicts.join('、')}时间冲突。`, ` Note: it conflicts with ${conflicts.join(', ')}.`)
      : '';
  const series = about.following === true ? say('，之后的各次也一样', ', and those after it likewise') : '';
  return { text: say(`已把${title}${what}${series}。${warning}`, `${title} ${what}${series}.${warning}`) };
};

export const tellDeleted: Report = ({ about }, _result, reading) => {
  const when = text(about.when);
  const following = about.following === true;
  return {
    text: reading.say(
      `已删除${named(about.title, reading)}${when ? `（${when}${following ? '，以及之后的各次' : ''}）` : ''}。`,
      `${named(about.title, reading)}${when ? ` (${when}${following ? ' and all after it' : ''})` : ''} is deleted.`,
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
