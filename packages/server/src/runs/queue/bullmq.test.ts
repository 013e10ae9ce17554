import { Redis } from 'ioredis';
import { afterAll, beforeEach } from 'vitest';
import { startRedis } from '../../../test/redis-server.ts';
import { bullQueue, redisSignals } from './bullmq.ts';
import { describeRunQueue } from './conformance.ts';

const server = await startRedis();
afterAll(() => server.stop());
beforeEach(async () => {
  const redis = new Redis(server.url);
  await redis.flushall();
  redis.disconnect();
});

describeRunQueue('BullMQ', () => ({
  queue: bullQueue(server.url, () => {}),
  signals: redisSignals(server.url, () => {}),
}));
