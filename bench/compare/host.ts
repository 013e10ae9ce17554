import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { OpenSetUp, Place } from './set-ups.ts';

/** One set-up in a process of its own: what is measured here is the set-up's alone. Orders come and go as messages. */

export type Order =
  | { kind: 'runs'; count: number; prompt: string }
  | { kind: 'turn'; threadId: string; prompt: string }
  | { kind: 'tools' }
  | { kind: 'close' };
export type Reply = { value: number } | { error: string } | { ready: true; url?: string };

/** Work that goes on after the answer (a write in the background) belongs to the run too. */
const TAIL_MS = 100;

async function obey(setUp: OpenSetUp, order: Order): Promise<number> {
  switch (order.kind) {
    case 'runs': {
      const before = process.cpuUsage();
      for (let done = 0; done < order.count; done += 1) await setUp.run(randomUUID(), order.prompt);
      await pause(TAIL_MS);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    }
    case 'turn': {
      const started = performance.now();
      await setUp.run(order.threadId, order.prompt);
      const took = performance.now() - started;
      await pause(TAIL_MS);
      return took;
    }
    case 'tools':
      return setUp.toolRuns();
    case 'close':
      await setUp.close();
      return 0;
  }
}

const reply = (message: Reply) => process.send?.(message);
const failure = (error: unknown): Reply => ({ error: error instanceof Error ? error.message : String(error) });

async function main([module = '', databaseUrl = '', modelUrl = '']: string[]): Promise<void> {
  const place: Place = { databaseUrl, modelUrl };
  const { open }: { open: (place: Place) => Promise<OpenSetUp> } = await import(module);
  const setUp = await open(place);
  process.on('message', async (order: Order) => {
    reply(await obey(setUp, order).then((value) => ({ value }), failure));
    if (order.kind === 'close') process.disconnect();
  });
  process.once('disconnect', () => process.exit(0));
  reply({ ready: true, ...(setUp.url ? { url: setUp.url } : {}) });
}

await main(process.argv.slice(2)).catch((error) => {
  reply(failure(error));
  process.disconnect();
});
