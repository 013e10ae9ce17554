import { randomUUID } from 'node:crypto';
import type { LoggedEvent } from '@kith/protocol';
import { Redis } from 'ioredis';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { startRedis } from '../../../test/redis-server.ts';
import { describeEventBus, eventsFrom } from './conformance.ts';
import { redisBus } from './redis.ts';

const server = await startRedis();
afterAll(() => server.stop());
const open = (options: { maxLength?: number } = {}) => redisBus({ url: server.url, onError: () => {}, ...options });
const opened = (options: { maxLength?: number } = {}) => {
  const bus = open(options);
  onTestFinished(() => bus.close());
  return bus;
};

describeEventBus('Redis', open);

test('what one process publishes, every other one hears', async () => {
  const [publisher, one, other] = [opened(), opened(), opened()];
  const session = randomUUID();
  const heard: number[][] = [[], []];
  await one.subscribe(session, (events) => heard[0]?.push(...events.map(({ seq }) => seq)));
  await other.subscribe(session, (events) => heard[1]?.push(...events.map(({ seq }) => seq)));
  await publisher.publish(session, eventsFrom(1, 3));
  await eventually(() =>
    expect(heard).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]),
  );
});

test('entries carry the number of the log, only the latest are kept, and they go by themselves', async () => {
  const bus = opened({ maxLength: 10 });
  const session = randomUUID();
  for (let seq = 1; seq <= 500; seq += 100) await bus.publish(session, eventsFrom(seq, seq + 99));
  const redis = new Redis(server.url);
  const [last] = await redis.xrevrange(`kith:events:${session}`, '+', '-', 'COUNT', 1);
  expect(last?.[0]).toBe('500-0');
  expect(await redis.xlen(`kith:events:${session}`)).toBeLessThan(300);
  expect(await redis.ttl(`kith:events:${session}`)).toBeGreaterThan(0);
  redis.disconnect();
});

test('after Redis was lost with all it knew, readers are sent to the log and hear what comes next', async () => {
  const bus = opened();
  const session = randomUUID();
  const calls: (readonly LoggedEvent[])[] = [];
  await bus.subscribe(session, (events) => calls.push(events));
  await bus.publish(session, eventsFrom(1, 2));
  await eventually(() => expect(calls.flat()).toHaveLength(2));
  await server.restart();
  await eventually(() => expect(calls.at(-1)).toEqual([]));
  await eventually(() => bus.publish(session, eventsFrom(3, 3)));
  await eventually(() => expect(calls.flat()).toEqual(eventsFrom(1, 3)));
});

test('without Redis, publishing fails at once and subscribing does not', async () => {
  const bus = redisBus({ url: 'redis://127.0.0.1:1', onError: () => {} });
  onTestFinished(() => bus.close());
  await expect(bus.publish(randomUUID(), eventsFrom(1, 1))).rejects.toThrow();
  const stop = await bus.subscribe(randomUUID(), () => {});
  stop();
});
