import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { RunQueue, RunSignals } from './queue.ts';

const QUEUE = 'kith-threads';
const CANCELS = 'kith:cancels';

/** For many processes: BullMQ carries "look at this thread", nothing else. What is lost with Redis, the sweeper wakes again. */
export function bullQueue(redisUrl: string, onError: (error: unknown) => void): RunQueue {
  const connection = () => {
    const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
    redis.on('error', onError);
    return redis;
  };
  const producer = connection();
  const queue = new Queue(QUEUE, { connection: producer });
  queue.on('error', onError);
  const here = new Map<string, Promise<void>>();
  let room = 0;
  let worker: Worker | undefined;
  let taking = 0;
  const consumer = { redis: undefined as Redis | undefined };

  const wake = async (sessionId: string) => {
    // Woken again while it is handled: one more look afterwards, not one per wake-up.
    await queue.add(
      'wake',
      { sessionId },
      {
        deduplication: { id: sessionId, keepLastIfActive: true },
        removeOnComplete: true,
        removeOnFail: true,
      },
    );
  };

  return {
    wake,
    async start(handle, concurrency) {
      room = concurrency;
      consumer.redis = connection();
      worker = new Worker(
        QUEUE,
        async (job) => {
          taking++;
          try {
            await handle(job.data.sessionId);
          } catch (error) {
            onError(error);
          } finally {
            taking--;
          }
        },
        {
          connection: consumer.redis,
          concurrency,
          // At BullMQ's defaults a killed worker's thread would sleep for a minute.
          lockDuration: 15_000,
          stalledInterval: 5_000,
          // A crash must never fail the job: attempts are counted in the database.
          maxStalledCount: 1_000_000,
        },
      );
      worker.on('error', onError);
      await worker.waitUntilReady();
    },
    hasRoom: () => worker !== undefined && !worker.closing && taking + here.size < room,
    runHere(sessionId, work) {
      const done = work()
        .catch(onError)
        .finally(() => here.delete(sessionId));
      here.set(sessionId, done);
    },
    async drain() {
      await worker?.close();
      await Promise.all(here.values());
    },
    async close() {
      await worker?.close();
      await queue.close();
      consumer.redis?.disconnect();
      producer.disconnect();
    },
  };
}

/** Cancel hints by publish and subscribe: at most once, which is enough for a hint. */
export function redisSignals(redisUrl: string, onError: (error: unknown) => void): RunSignals {
  const publisher = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const subscriber = new Redis(redisUrl, { maxRetriesPerRequest: null });
  for (const redis of [publisher, subscriber]) redis.on('error', onError);
  return {
    async cancel(rowId) {
      await publisher.publish(CANCELS, rowId);
    },
    async onCancel(listener) {
      subscriber.on('message', (_channel, rowId) => listener(rowId));
      await subscriber.subscribe(CANCELS);
    },
    async close() {
      publisher.disconnect();
      subscriber.disconnect();
    },
  };
}
