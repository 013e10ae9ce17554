import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

export interface RedisServer {
  url: string;
  /** Kills the server, forgets everything it knew, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A Redis of our own on a free port, without a disk. */
export async function startRedis(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'kith-redis-'));
  const port = await freePort();
  const start = async () => {
    const child = spawn(
      'redis-server',
      ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
      {
        stdio: 'ignore',
      },
    );
    await new Promise<void>((resolve, reject) => {
      child.once('error', () =>
        reject(new Error('Redis is needed for these tests: install the package `redis-server`')),
      );
      untilReady(port).then(resolve, reject);
    });
    return child;
  };
  let child = await start();
  const halt = () =>
    new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  return {
    url: `redis://127.0.0.1:${port}`,
    async restart() {
      await halt();
      child = await start();
    },
    async stop() {
      await halt();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function untilReady(port: number): Promise<void> {
  const redis = new Redis({
    port,
    host: '127.0.0.1',
    lazyConnect: true,
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
  });
  redis.on('error', () => {});
  await redis.connect().catch(() => {});
  await redis.ping();
  redis.disconnect();
}
