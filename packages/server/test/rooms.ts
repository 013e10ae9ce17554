import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BusyPolicy, RunDetail, RunStatus } from '@kith/protocol';
import { afterAll } from 'vitest';
import type { z } from 'zod';
import { compose, type Rooms } from '../src/compose.ts';
import { Config } from '../src/config/index.ts';
import { type Database, type DatabaseAddress, openDatabase } from '../src/db/index.ts';
import { createLog, createMetrics } from '../src/observability/index.ts';
import type { Submitted } from '../src/runs/index.ts';
import { type Simulator, startSimulator } from '../src/simulator/index.ts';
import { testDatabaseAddress } from './database.ts';
import { eventually } from './eventually.ts';

/** Processes that share a database share the key that its secrets are wrapped with. */
export const testEnvironment = { KITH_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };

export interface TestRooms extends Rooms {
  database: Database;
  simulator: Simulator;
  /** Every statement sent since the last reading, with the connection it went over. */
  statements: { connection: number; text: string }[];
  /** Submits a message and does not wait. */
  say(thread: Talk, text: string, options?: { runId?: string; policy?: BusyPolicy }): Promise<Submitted>;
  /** Waits until the run stands like this (or has ended in any way), and gives its detail. */
  until(thread: Talk, runId: string, ...statuses: RunStatus[]): Promise<RunDetail>;
  /** Submits and waits for the end. */
  ask(thread: Talk, text: string): Promise<RunDetail>;
}

export interface Talk {
  userId: string;
  threadId: string;
}

export const newTalk = (userId = `user-${randomUUID()}`): Talk => ({ userId, threadId: randomUUID() });

export interface RoomsOptions {
  config?: z.input<typeof Config>;
  address?: DatabaseAddress;
  simulator?: Simulator;
  now?: () => Date;
  /** Left to the test where several processes share a database. */
  keepOpen?: boolean;
}

/** All rooms on the project's database, without HTTP, against a simulator whose controls the test holds. */
export async function testRooms(options: RoomsOptions = {}): Promise<TestRooms> {
  const home = mkdtempSync(join(tmpdir(), 'kith-rooms-'));
  const config = Config.parse({
    ...options.config,
    home,
    runs: { sweepSeconds: 0.1, graceSeconds: 2, ...options.config?.runs },
  });
  const statements: TestRooms['statements'] = [];
  const address = options.address ?? (await testDatabaseAddress());
  const database = await openDatabase(address, {
    onStatement: (connection, text) => statements.push({ connection, text }),
  });
  const simulator = options.simulator ?? (await startSimulator());
  const rooms = await compose({
    config,
    environment: testEnvironment,
    database,
    log: createLog(process.env.KITH_LOG_LEVEL ?? 'silent'),
    metrics: createMetrics(),
    simulator,
    ...(options.now ? { now: options.now } : {}),
  });
  await rooms.start();
  const closeAll = async () => {
    await rooms.drain();
    await rooms.close();
    await database.close();
    if (!options.simulator) await simulator.close();
    rmSync(home, { recursive: true, force: true });
  };
  if (!options.keepOpen) afterAll(closeAll);
  const harness: TestRooms = { ...rooms, close: closeAll, database, simulator, statements, ...talking(rooms) };
  return harness;
}

function talking(rooms: Rooms): Pick<TestRooms, 'say' | 'until' | 'ask'> {
  const say: TestRooms['say'] = (talk, text, options = {}) =>
    rooms.runs.submit({
      userId: talk.userId,
      policy: options.policy,
      input: {
        threadId: talk.threadId,
        runId: options.runId ?? randomUUID(),
        messages: [{ id: randomUUID(), role: 'user', content: text }],
      },
    });
  const until: TestRooms['until'] = async (talk, runId, ...statuses) => {
    const wanted = statuses.length > 0 ? statuses : (['completed', 'failed', 'canceled', 'awaiting_approval'] as const);
    let detail: RunDetail | undefined;
    await eventually(async () => {
      detail = await rooms.runs.detail(talk.userId, talk.threadId, runId);
      if (!wanted.some((status) => status === detail?.status))
        throw new Error(`the run is ${detail.status} (${detail.error})`);
    }, 20_000);
    if (!detail) throw new Error('no detail');
    return detail;
  };
  const ask: TestRooms['ask'] = async (talk, text) => until(talk, (await say(talk, text)).runId);
  return { say, until, ask };
}

/** Transactions among statements: each `begin`, and each statement outside of one. */
export function countTransactions(statements: TestRooms['statements']): number {
  const inside = new Set<number>();
  let count = 0;
  for (const { connection, text } of statements) {
    const word = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase();
    if (word === 'begin') inside.add(connection);
    if (word === 'begin' || !inside.has(connection)) count++;
    if (word === 'commit' || word === 'rollback') inside.delete(connection);
  }
  return count;
}
