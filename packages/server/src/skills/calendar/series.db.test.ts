import { CalendarEventList } from '@kith/protocol';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { createLog } from '../../observability/index.ts';
import { createSkills } from '../create-skills.ts';
import { callerFor, type Person } from '../test-caller.ts';
import { Created } from './inputs.ts';
import { begin, occurrences } from './recurrence.ts';

const database = await testDatabase();
const skills = await createSkills({ config: { skills: { mcp: {} } }, log: createLog('silent') });
const call = callerFor(database, skills);

async function weekly(who: Person, recurrence = 'FREQ=WEEKLY;BYDAY=MO;COUNT=5'): Promise<string> {
  const input = { title: 'Standup', start: '2026-11-16T10:00', end: '2026-11-16T10:30', recurrence };
  return Created.parse((await call(who, 'calendar.create', input)).result).event_id;
}
async function starts(who: Person): Promise<string[]> {
  const output = await call(who, 'calendar.read', { mode: 'range', start: '2026-11-01', end: '2027-01-31' });
  return CalendarEventList.parse(output.result).events.map(({ start, title }) => `${start.slice(5, 16)} ${title}`);
}
const third = (series: string) => `${series}_20261130T020000Z`;

test('a series shows as its occurrences, each with an id of its own', async () => {
  const who = { userId: 'reader' };
  const series = await weekly(who);
  const output = await call(who, 'calendar.read', { mode: 'day', date: '2026-11-30' });
  expect(CalendarEventList.parse(output.result).events).toEqual([
    {
      event_id: third(series),
      series_id: series,
      title: 'Standup',
      start: '2026-11-30T10:00:00+08:00',
      end: '2026-11-30T10:30:00+08:00',
      all_day: false,
      recurrence: 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20261214T020000Z',
    },
  ]);
  const found = await call(who, 'calendar.read', { mode: 'search', query: 'standup' });
  expect(CalendarEventList.parse(found.result).events.map(({ start }) => start.slice(0, 10))).toEqual([
    '2026-11-16',
    '2026-11-23',
    '2026-11-30',
  ]);
  expect(await call(who, 'calendar.read', { mode: 'event', event_id: `${series}_20261201T020000Z` })).toMatchObject({
    error: { code: 'EVENT_NOT_FOUND' },
  });
});

test('one occurrence can be moved and keeps its id; the others stay', async () => {
  const who = { userId: 'mover' };
  const series = await weekly(who);
  const moved = await call(who, 'calendar.update', {
    event_id: third(series),
    start: '2026-12-01T14:00',
    title: 'Special',
  });
  expect(moved.result).toMatchObject({ event_id: third(series), scope: 'this' });
  expect(await starts(who)).toEqual([
    '11-16T10:00 Standup',
    '11-23T10:00 Standup',
    '12-01T14:00 Special',
    '12-07T10:00 Standup',
    '12-14T10:00 Standup',
  ]);
  const found = await call(who, 'calendar.read', { mode: 'search', query: 'special' });
  expect(found.result).toMatchObject({ count: 1, events: [{ event_id: third(series) }] });
  await call(who, 'calendar.update', { event_id: third(series), start: '2026-12-02T09:00' });
  expect(await starts(who)).toContain('12-02T09:00 Special');
});

test('one occurrence can be deleted, or it and what follows, or all', async () => {
  const who = { userId: 'deleter' };
  const series = await weekly(who);
  await call(who, 'calendar.delete', { event_id: third(series) });
  expect(await starts(who)).toHaveLength(4);
  expect(await call(who, 'calendar.delete', { event_id: third(series) })).toMatchObject({ status: 'failure' });
  await call(who, 'calendar.delete', { event_id: `${series}_20261207T020000Z`, scope: 'following' });
  expect(await starts(who)).toEqual(['11-16T10:00 Standup', '11-23T10:00 Standup']);
  await call(who, 'calendar.delete', { event_id: series });
  expect(await starts(who)).toEqual([]);
});

test('a series moved as a whole takes its changed occurrences along', async () => {
  const who = { userId: 'shifter' };
  const series = await weekly(who);
  await call(who, 'calendar.delete', { event_id: `${series}_20261123T020000Z` });
  await call(who, 'calendar.update', { event_id: third(series), location: 'Roof', start: '2026-11-30T18:00' });
  const output = await call(who, 'calendar.update', {
    event_id: `${series}_20261207T020000Z`,
    start: '2026-12-07T11:00',
    title: 'Late standup',
    scope: 'all',
  });
  expect(output.result).toMatchObject({ event_id: series, scope: 'all' });
  expect(await starts(who)).toEqual([
    '11-16T11:00 Late standup',
    '11-30T18:00 Late standup',
    '12-07T11:00 Late standup',
    '12-14T11:00 Late standup',
  ]);
});

test('from one occurrence on, a series can go another way', async () => {
  const who = { userId: 'splitter' };
  const series = await weekly(who);
  await call(who, 'calendar.update', { event_id: `${series}_20261207T020000Z`, title: 'Guest' });
  const output = await call(who, 'calendar.update', {
    event_id: third(series),
    start: '2026-11-30T16:00',
    title: 'Afternoon',
    scope: 'following',
  });
  expect(output).toMatchObject({ status: 'success', result: { scope: 'following' } });
  expect(output.result).not.toMatchObject({ event_id: series });
  expect(await starts(who)).toEqual([
    '11-16T10:00 Standup',
    '11-23T10:00 Standup',
    '11-30T16:00 Afternoon',
    '12-07T10:00 Afternoon',
    '12-14T16:00 Afternoon',
  ]);
});

test('a series can become one event, one event a series, and a rule another rule', async () => {
  const who = { userId: 'changer' };
  const series = await weekly(who);
  await call(who, 'calendar.update', { event_id: series, recurrence: 'FREQ=MONTHLY;COUNT=2' });
  expect(await starts(who)).toEqual(['11-16T10:00 Standup', '12-16T10:00 Standup']);
  await call(who, 'calendar.update', { event_id: series, recurrence: null });
  expect(await starts(who)).toEqual(['11-16T10:00 Standup']);
  await call(who, 'calendar.update', { event_id: series, recurrence: 'FREQ=DAILY;UNTIL=20261118' });
  expect(await starts(who)).toHaveLength(3);
});

test('whole-day series with several days show while they last', async () => {
  const who = { userId: 'allday' };
  const input = { title: 'Retreat', start: '2026-11-20', end: '2026-11-22', recurrence: 'FREQ=MONTHLY;COUNT=2' };
  const { event_id } = Created.parse((await call(who, 'calendar.create', input)).result);
  const output = await call(who, 'calendar.read', { mode: 'day', date: '2026-12-22' });
  expect(CalendarEventList.parse(output.result).events).toMatchObject([
    { event_id: `${event_id}_20261220`, start: '2026-12-20', end: '2026-12-22', all_day: true },
  ]);
  await call(who, 'calendar.update', { event_id: `${event_id}_20261220`, start: '2026-12-27' });
  expect(await starts(who)).toEqual(['11-20 Retreat', '12-27 Retreat']);
});

test('an occurrence that began weeks ago shows on its last day, unless it was moved away', async () => {
  const who = { userId: 'traveller' };
  const input = { title: 'Journey', start: '2026-06-01', end: '2026-06-30', recurrence: 'FREQ=MONTHLY;INTERVAL=2' };
  const { event_id } = Created.parse((await call(who, 'calendar.create', input)).result);
  const lastDay = { mode: 'day', date: '2026-10-30' };
  expect((await call(who, 'calendar.read', lastDay)).result).toMatchObject({ events: [{ start: '2026-10-01' }] });
  await call(who, 'calendar.update', { event_id: `${event_id}_20261001`, start: '2026-03-01' });
  expect((await call(who, 'calendar.read', lastDay)).result).toMatchObject({ count: 0 });
});

test('neighbours that were changed do not get into each other’s way when the series moves by a day', async () => {
  for (const [who, start] of [
    ['later', '2026-11-17T10:00'],
    ['earlier', '2026-11-15T10:00'],
  ] as const) {
    const series = await weekly({ userId: who }, 'FREQ=DAILY;COUNT=5');
    for (const day of ['17', '18', '19']) {
      await call({ userId: who }, 'calendar.update', { event_id: `${series}_202611${day}T020000Z`, location: day });
    }
    const moved = await call({ userId: who }, 'calendar.update', { event_id: series, start });
    expect(moved).toMatchObject({ status: 'success' });
    const { result } = await call({ userId: who }, 'calendar.read', {
      mode: 'range',
      start: '2026-11-01',
      end: '2026-11-30',
    });
    const { events } = CalendarEventList.parse(result);
    expect(events.map(({ location }) => location)).toEqual([undefined, '17', '18', '19', undefined]);
  }
});

test('a scope that makes no sense is refused with the field to mend', async () => {
  const who = { userId: 'confused' };
  const series = await weekly(who);
  const single = { title: 'One', start: '2026-11-17T10:00', end: '2026-11-17T10:30' };
  const { event_id } = Created.parse((await call(who, 'calendar.create', single)).result);
  const failing: [Record<string, string>, string][] = [
    [{ event_id: series, title: 'x', scope: 'this' }, 'SCOPE_NEEDS_OCCURRENCE'],
    [{ event_id, title: 'x', scope: 'following' }, 'SCOPE_NEEDS_SERIES'],
    [{ event_id: third(series), recurrence: 'FREQ=DAILY' }, 'RECURRENCE_NEEDS_SERIES'],
    [{ event_id: third(series), start: '2026-12-01T10:00', scope: 'all' }, 'RECURRENCE_MISMATCH'],
    [{ event_id: series }, 'NOTHING_TO_CHANGE'],
  ];
  for (const [input, code] of failing) {
    expect(await call(who, 'calendar.update', input)).toMatchObject({ status: 'failure', error: { code } });
  }
});

test('a conflict with any occurrence of the coming weeks is reported', async () => {
  const who = { userId: 'double' };
  await call(who, 'calendar.create', { title: 'Dentist', start: '2026-11-30T10:15', end: '2026-11-30T11:00' });
  const input = { title: 'S', start: '2026-11-16T10:00', end: '2026-11-16T10:30', recurrence: 'FREQ=WEEKLY' };
  const { conflicts } = Created.parse((await call(who, 'calendar.create', input)).result);
  expect(conflicts).toMatchObject([{ title: 'Dentist' }]);
});

test('a reading is cut at its limit and says so, the earliest first', async () => {
  const who = { userId: 'crowded' };
  for (const title of ['A', 'B', 'C']) {
    await call(who, 'calendar.create', {
      title,
      start: '2026-01-01T10:00',
      end: '2026-01-01T10:30',
      recurrence: 'FREQ=DAILY',
    });
  }
  const output = await call(who, 'calendar.read', { mode: 'range', start: '2026-11-01', end: '2027-11-01' });
  const { count, truncated, events } = CalendarEventList.parse(output.result);
  expect({ count, truncated }).toEqual({ count: 100, truncated: true });
  expect(events.map(({ start }) => start)).toEqual(events.map(({ start }) => start).sort());
  expect(events.at(-1)?.start.slice(0, 10)).toBe('2026-12-04');
});

test('what a reading shows of a series is what the rule says, minus what was deleted', {
  timeout: 120_000,
}, async () => {
  const zone = fc.constantFrom('America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Shanghai');
  const rule = fc.constantFrom('FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO,TH', 'FREQ=DAILY;INTERVAL=3', 'FREQ=WEEKLY;COUNT=9');
  const day = fc.integer({ min: 0, max: 400 });
  const hours = fc.constantFrom('01:30', '02:30', '09:00');
  let users = 0;
  await fc.assert(
    fc.asyncProperty(
      zone,
      rule,
      day,
      hours,
      fc.nat({ max: 10 }),
      async (timezone, recurrence, offset, time, deleted) => {
        users += 1;
        const who = { userId: `property-${users}`, timezone };
        const date = Temporal.PlainDate.from('2026-02-01').add({ days: offset });
        const dtstart = date.toZonedDateTime({ timeZone: timezone, plainTime: time }).toInstant();
        const start = `${date}T${time}`;
        await call(who, 'calendar.create', {
          title: 'x',
          start,
          end: dtstart.add({ hours: 1 }).toString(),
          recurrence,
        });
        const from = date.toZonedDateTime(timezone);
        const span = { allDay: false as const, start: dtstart, end: dtstart.add({ hours: 1 }) };
        const expected = occurrences(
          begin(recurrence, span, timezone),
          from.toInstant(),
          from.add({ days: 61 }).toInstant(),
        );
        const range = { mode: 'range', start: `${date}`, end: `${date.add({ days: 60 })}` };
        const seen = async () => {
          const { result } = await call(who, 'calendar.read', range);
          return CalendarEventList.parse(result).events;
        };
        const events = await seen();
        expect(events.map((event) => Temporal.Instant.from(event.start).epochMilliseconds)).toEqual(
          expected.map(({ start }) => (start instanceof Temporal.Instant ? start.epochMilliseconds : start)),
        );
        const victim = events[deleted % events.length];
        if (!victim) return;
        await call(who, 'calendar.delete', { event_id: victim.event_id });
        expect((await seen()).map(({ event_id }) => event_id)).toEqual(
          events.map(({ event_id }) => event_id).filter((id) => id !== victim.event_id),
        );
      },
    ),
    { numRuns: 25 },
  );
});
