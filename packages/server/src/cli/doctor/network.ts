import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import type { Check } from './index.ts';

const words = {
  en: {
    free: 'is free',
    ours: 'a Kith server answers there',
    taken: 'is in use by another program: stop it, or set PORT',
    answers: 'answers',
    away: 'does not answer',
  },
  zh: {
    free: '空闲',
    ours: '已有 Kith 服务在此应答',
    taken: '被其他程序占用:请停止它,或设置 PORT',
    answers: '可连接',
    away: '无应答',
  },
} as const;

export const checkPort: Check = async ({ config: { server }, language }) => {
  const say = words[language];
  const address = `${server.host}:${server.port}`;
  if (await isFree(server.host, server.port)) {
    return [{ name: 'port', status: 'ok', detail: `${address} ${say.free}` }];
  }
  if (await isKith(address)) return [{ name: 'port', status: 'ok', detail: `${address}: ${say.ours}` }];
  return [{ name: 'port', status: 'failed', detail: `${address} ${say.taken}` }];
};

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host, port }, () => probe.close(() => resolve(true)));
  });
}

async function isKith(address: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://${address}/healthz`, { signal: AbortSignal.timeout(2_000) });
    const body: unknown = await answer.json();
    return typeof body === 'object' && body !== null && 'status' in body && body.status === 'ok';
  } catch {
    return false;
  }
}

export const checkRedis: Check = async ({ config: { redis }, language }) => {
  if (!redis.url) return [];
  const say = words[language];
  const { host } = new URL(redis.url);
  const client = new Redis(redis.url, {
    lazyConnect: true,
    connectTimeout: 3_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.ping();
    return [{ name: 'redis', status: 'ok', detail: `${host} ${say.answers}` }];
  } catch {
    return [{ name: 'redis', status: 'failed', detail: `${host} ${say.away}` }];
  } finally {
    client.disconnect();
  }
};
