import { randomUUID } from 'node:crypto';
import type { LoggedEvent } from '@kith/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import type { EventBus } from './bus.ts';

export function eventsFrom(first: number, last: number, threadId = 'thread'): LoggedEvent[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const seq = first + index;
    const event = {
      type: 'TEXT_MESSAGE_CONTENT',
      threadId,
      runId: 'run',
      messageId: 'text',
      delta: `${seq} 你好`,
    } as const;
    return { seq, runId: 'run', event };
  });
}

/** What every bus must do. It may lose, repeat and be late: the log is the truth. */
export function describeEventBus(name: string, make: () => EventBus): void {
  describe(`the ${name} bus`, () => {
    const opened: EventBus[] = [];
    const open = () => {
      const bus = make();
      opened.push(bus);
      return bus;
    };
    afterEach(async () => {
      for (const bus of opened.splice(0)) await bus.close();
    });
    const listen = async (bus: EventBus, sessionId: string) => {
      const heard: LoggedEvent[] = [];
      const stop = await bus.subscribe(sessionId, (events) => heard.push(...events));
      return { heard, stop };
    };

    test('tells what was published, whole and in order, from the moment that subscribing resolved', async () => {
      const bus = open();
      const session = randomUUID();
      const { heard } = await listen(bus, session);
      await bus.publish(session, eventsFrom(1, 3));
      await bus.publish(session, eventsFrom(4, 4));
      await eventually(() => expect(heard).toEqual(eventsFrom(1, 4)));
    });

    test('tells a reader nothing of other threads', async () => {
      const bus = open();
      const [one, other] = [randomUUID(), randomUUID()];
      const [mine, theirs] = [await listen(bus, one), await listen(bus, other)];
      await bus.publish(other, eventsFrom(1, 2));
      await bus.publish(one, eventsFrom(7, 7));
      await eventually(() => expect([mine.heard, theirs.heard]).toEqual([eventsFrom(7, 7), eventsFrom(1, 2)]));
    });

    test('tells every reader of a thread, also one that comes later', async () => {
      const bus = open();
      const session = randomUUID();
      const early = await listen(bus, session);
      await bus.publish(session, eventsFrom(1, 1));
      await eventually(() => expect(early.heard).toHaveLength(1));
      const late = await listen(bus, session);
      await bus.publish(session, eventsFrom(2, 2));
      await eventually(() => expect([early.heard, late.heard]).toEqual([eventsFrom(1, 2), eventsFrom(2, 2)]));
    });

    test('bears a second publishing, and one that comes too late', async () => {
      const bus = open();
      const session = randomUUID();
      const { heard } = await listen(bus, session);
      await bus.publish(session, eventsFrom(1, 2));
      await bus.publish(session, eventsFrom(2, 2));
      await bus.publish(session, eventsFrom(4, 4));
      await bus.publish(session, eventsFrom(3, 3));
      await bus.publish(session, eventsFrom(5, 5));
      await eventually(() => expect(heard.at(-1)).toEqual(eventsFrom(5, 5)[0]));
      expect(new Set(heard.map(({ seq }) => seq)).isSupersetOf(new Set([1, 2, 4, 5]))).toBe(true);
    });

    test('tells nothing more to a reader that left', async () => {
      const bus = open();
      const session = randomUUID();
      const [leaving, staying] = [await listen(bus, session), await listen(bus, session)];
      leaving.stop();
      await bus.publish(session, eventsFrom(1, 1));
      await eventually(() => expect(staying.heard).toHaveLength(1));
      expect(leaving.heard).toEqual([]);
    });

    test('follows many threads at once', async () => {
      const bus = open();
      const sessions = Array.from({ length: 50 }, () => randomUUID());
      const listeners = await Promise.all(sessions.map((session) => listen(bus, session)));
      await Promise.all(sessions.map((session) => bus.publish(session, eventsFrom(1, 5))));
      await eventually(() => expect(listeners.every(({ heard }) => heard.length === 5)).toBe(true));
    });
  });
}
