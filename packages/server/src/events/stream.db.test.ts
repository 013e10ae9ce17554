import { randomUUID } from 'node:crypto';
import type { KithEvent, LoggedEvent } from '@kith/protocol';
import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { eventually } from '../../test/eventually.ts';
import { createLog } from '../observability/index.ts';
import type { EventBus } from './bus/bus.ts';
import { memoryBus } from './bus/memory.ts';
import { createStreams, STREAM_LIMITS, type Streams } from './stream.ts';

let statements: string[] = [];
const { sql } = await testDatabase((_connection, statement) => statements.push(statement));
const readsOfTheLog = () => statements.filter((statement) => statement.includes('from run_events'));
beforeEach(() => {
  statements = [];
});

/** A thread whose log grows by hand; what is written is also published, unless the bus loses it. */
async function thread(bus: EventBus) {
  const id = randomUUID();
  await sql`insert into sessions (id, user_id, thread_id) values (${id}, 'alice', ${id})`;
  let head = 0;
  const say = async (runIds: readonly string[], lost = false): Promise<void> => {
    const events = runIds.map((runId): LoggedEvent => {
      const event: KithEvent = { type: 'TEXT_MESSAGE_CONTENT', threadId: id, runId, messageId: 'text', delta: '字' };
      return { seq: ++head, runId, event };
    });
    const rows = events.map(({ seq, runId, event }) => ({ seq, run_id: runId, payload: event }));
    await sql`
      with grown as (update sessions set event_head = ${head} where id = ${id})
      insert into run_events (session_id, seq, run_id, attempt, type, payload)
      select ${id}, seq, run_id, 1, payload ->> 'type', payload
      from jsonb_to_recordset(${sql.json(rows)}::jsonb) as entry (seq bigint, run_id text, payload jsonb)`;
    if (!lost) await bus.publish(id, events);
  };
  return { id, say, head: () => head };
}

function streamsOn(bus: EventBus, limits: Partial<Parameters<typeof createStreams>[0]['limits']> = {}): Streams {
  const streams = createStreams({
    sql,
    bus,
    log: createLog('silent'),
    limits: { ...STREAM_LIMITS, maxReaderBacklog: 1024 * 1024, idleMilliseconds: 20, ...limits },
  });
  onTestFinished(() => streams.close());
  return streams;
}

function follow(streams: Streams, query: { sessionId: string; after?: number; runId?: string }) {
  const stop = new AbortController();
  const seen: number[] = [];
  const done = (async () => {
    for await (const events of streams.open({ after: 0, ...query, signal: stop.signal })) {
      seen.push(...events.map(({ seq }) => seq));
    }
  })();
  onTestFinished(() => stop.abort());
  return { seen, done, stop: () => stop.abort() };
}

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
const say = (count: number, runId = 'run') => Array.from({ length: count }, () => runId);

describe('a reader of a thread', () => {
  test('gets what the log has, and then what happens, without gap or repeat', async () => {
    const bus = memoryBus();
    const { id, say: write } = await thread(bus);
    await write(say(3));
    const reader = follow(streamsOn(bus), { sessionId: id });
    await eventually(() => expect(reader.seen).toEqual(upTo(3)));
    await write(say(2));
    await write(say(1));
    await eventually(() => expect(reader.seen).toEqual(upTo(6)));
  });

  test('starts after what it has', async () => {
    const bus = memoryBus();
    const { id, say: write } = await thread(bus);
    await write(say(10));
    const streams = streamsOn(bus, { windowEvents: 4, pageSize: 2 });
    const readers = [0, 3, 9, 10].map((after) => ({ after, ...follow(streams, { sessionId: id, after }) }));
    await write(say(5));
    for (const { after, seen } of readers) await eventually(() => expect(seen).toEqual(upTo(15, after + 1)));
  });

  test('of one run gets nothing of the others', async () => {
    const bus = memoryBus();
    const { id, say: write } = await thread(bus);
    await write([...say(30, 'first'), ...say(2, 'second')]);
    const streams = streamsOn(bus, { windowEvents: 8, pageSize: 4 });
    const [one, other] = [
      follow(streams, { sessionId: id, runId: 'second' }),
      follow(streams, { sessionId: id, runId: 'second' }),
    ];
    await write(['first', 'second', 'first']);
    for (const { seen } of [one, other]) await eventually(() => expect(seen).toEqual([31, 32, 34]));
  });

  test('passes over deltas that the log has dropped', async () => {
    const bus = memoryBus();
    const { id, say: write } = await thread(bus);
    await write(say(9));
    await sql`delete from run_events where session_id = ${id} and seq in (2, 3, 9)`;
    const reader = follow(streamsOn(bus), { sessionId: id });
    await write(say(1));
    await eventually(() => expect(reader.seen).toEqual([1, 4, 5, 6, 7, 8, 10]));
  });

  test('learns of events that the bus has lost', async () => {
    const bus = memoryBus();
    const { id, say: write } = await thread(bus);
    const reader = follow(streamsOn(bus), { sessionId: id });
    await write(say(2), true);
    await eventually(() => expect(reader.seen).toEqual(upTo(2)));
    await write(say(1), true);
    await write(say(1));
    await eventually(() => expect(reader.seen).toEqual(upTo(4)));
  });

  test('leaves when asked to, and when the thread is deleted', async () => {
    const bus = memoryBus();
    const { id, say: write } = await thread(bus);
    await write(say(1));
    const streams = streamsOn(bus);
    const [leaving, staying] = [follow(streams, { sessionId: id }), follow(streams, { sessionId: id })];
    await eventually(() => expect(staying.seen).toEqual([1]));
    leaving.stop();
    await leaving.done;
    await sql`delete from sessions where id = ${id}`;
    await staying.done;
  });

  test('is told to go when it takes nothing while too much passes by, and not for one large piece', async () => {
    const bus = memoryBus();
    const { id, say: write } = await thread(bus);
    const streams = streamsOn(bus, { maxReaderBacklog: 2000 });
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const told: string[] = [];
    const open = (name: string) =>
      streams.open({ sessionId: id, after: 0, signal: stop.signal, onLag: () => told.push(name) });
    const attentive: number[] = [];
    void (async () => {
      for await (const events of open('attentive')) attentive.push(...events.map(({ seq }) => seq));
    })();
    const idle = open('idle');
    await write(say(1));
    await idle.next();
    await write(say(100));
    await eventually(() => expect(attentive).toHaveLength(101));
    expect(told).toEqual([]);
    await write(say(1));
    await eventually(() => expect(attentive).toHaveLength(102));
    expect(told).toEqual(['idle']);
  });
});

test('many readers cost one subscription and one read', async () => {
  const bus = memoryBus();
  let subscriptions = 0;
  const counted: EventBus = {
    ...bus,
    subscribe: (sessionId, onEvents) => {
      subscriptions++;
      return bus.subscribe(sessionId, onEvents);
    },
  };
  const { id, say: write } = await thread(counted);
  await write(say(20));
  const streams = streamsOn(counted);
  const first = follow(streams, { sessionId: id, runId: 'run' });
  await eventually(() => expect(first.seen).toHaveLength(20));
  const others = Array.from({ length: 200 }, () => follow(streams, { sessionId: id, runId: 'run' }));
  await write(say(5));
  for (const { seen } of [first, ...others]) await eventually(() => expect(seen).toEqual(upTo(25)));
  expect(subscriptions).toBe(1);
  expect(readsOfTheLog()).toHaveLength(1);
});

/** Loses, repeats, delays and reorders at will: everything that the port allows. */
function unreliable(faults: { next(): 'lose' | 'repeat' | 'delay' | 'tell' }): EventBus {
  const bus = memoryBus();
  let held: [string, readonly LoggedEvent[]][] = [];
  return {
    ...bus,
    async publish(sessionId, events) {
      const fault = faults.next();
      if (fault === 'lose') return;
      if (fault === 'delay') {
        held.push([sessionId, events]);
        return;
      }
      await bus.publish(sessionId, events);
      if (fault === 'repeat') await bus.publish(sessionId, events);
      const late = held;
      held = [];
      for (const [id, old] of late) await bus.publish(id, old);
    },
  };
}

test('whatever the bus does, every reader gets exactly what the log has', async () => {
  const fault = fc.constantFrom('lose', 'repeat', 'delay', 'tell', 'tell');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ count: fc.integer({ min: 1, max: 7 }), fault, joins: fc.option(fc.nat({ max: 40 })) }), {
        minLength: 1,
        maxLength: 12,
      }),
      fc.integer({ min: 1, max: 30 }),
      async (rounds, windowEvents) => {
        const faults = rounds.map((round) => round.fault);
        const bus = unreliable({ next: () => faults.shift() ?? 'tell' });
        const { id, say: write, head } = await thread(bus);
        const streams = streamsOn(bus, { windowEvents, pageSize: 3, idleMilliseconds: 5 });
        const readers = [{ after: 0, ...follow(streams, { sessionId: id }) }];
        for (const { count, joins } of rounds) {
          if (joins !== null && joins <= head()) {
            readers.push({ after: joins, ...follow(streams, { sessionId: id, after: joins }) });
          }
          await write(say(count));
        }
        for (const { after, seen } of readers) await eventually(() => expect(seen).toEqual(upTo(head(), after + 1)));
        for (const { stop } of readers) stop();
        await Promise.all(readers.map(({ done }) => done));
      },
    ),
    { numRuns: 40 },
  );
});
