import { randomUUID } from 'node:crypto';
import type { AgentTemplates } from '../agents/index.ts';
import { parsePico } from '../billing/index.ts';
import type { Config } from '../config/index.ts';
import type { Database } from '../db/index.ts';
import { createJournal, type EventBus, messagesSnapshot } from '../events/index.ts';
import type { Files } from '../files/index.ts';
import type { GraphRooms } from '../graph/index.ts';
import { type Memory, worthLearning } from '../memory/index.ts';
import type { Models } from '../models/index.ts';
import type { Log, Metrics } from '../observability/index.ts';
import { readHistory } from '../sessions/index.ts';
import type { Skills } from '../skills/index.ts';
import { settingsOf, type Users } from '../users/index.ts';
import type { ClaimedRun, ClaimTools } from './claim.ts';
import type { Runs } from './port.ts';
import type { RunQueue, RunSignals } from './queue/queue.ts';
import { createRuns } from './runs.ts';
import { createSweeper } from './sweeper.ts';
import { createWorker } from './worker.ts';

export interface RunRoomOptions {
  config: Config;
  database: Database;
  log: Log;
  metrics: Metrics;
  bus: EventBus;
  queue: RunQueue;
  signals: RunSignals;
  users: Users;
  models: Models;
  skills: Skills;
  memory: Memory;
  files: Files;
  templates: AgentTemplates;
  now: () => Date;
  /** Told how runs end. */
  onRunFinished?: (run: FinishedRun) => Promise<void>;
}

export interface FinishedRun {
  threadId: string;
  runId: string;
  status: 'completed' | 'failed' | 'canceled';
  error?: string;
}

export interface RunRoom extends Runs {
  start(): Promise<void>;
  /** Wakes whatever waits, at once: for those who submit in a transaction of their own. */
  lookAgain(): Promise<void>;
  /** Lets go of everything within the grace time. */
  stop(): Promise<void>;
}

/** Puts the room together: submitting, the worker if this process has the role, and the sweeper. */
export function createRunRoom(options: RunRoomOptions): RunRoom {
  const { config, database, log, queue, signals, now } = options;
  const newId = randomUUID;
  const isWorker = config.roles.includes('worker');
  const journal = createJournal({
    sql: database.sql,
    bus: options.bus,
    log,
    flushMilliseconds: config.events.flushMilliseconds,
  });
  const claim = {
    users: options.users,
    owner: newId(),
    leaseSeconds: config.runs.leaseSeconds,
    contextMessages: options.templates.contextMessages,
    recall: recallInClaim(options),
    newId,
    now,
  };
  const worker = isWorker
    ? createWorker({
        database,
        journal,
        queue,
        signals,
        rooms: graphRooms(options, newId),
        claim,
        execution: { database, journal, leaseSeconds: config.runs.leaseSeconds, newId, now, log },
        log,
        metrics: options.metrics,
        concurrency: config.runs.concurrency,
        onEnd: async ({ state: { identity } }, standing) => {
          if (standing.run === 'running' || standing.run === 'awaiting_approval') return;
          const { threadId, runId } = identity;
          const error = 'error' in standing ? { error: standing.error } : {};
          await options.onRunFinished?.({ threadId, runId, status: standing.run, ...error });
        },
        snapshotOf: (claimed) => snapshotOf(database, claimed),
      })
    : undefined;
  const sweeper = createSweeper({
    database,
    queue,
    log,
    everyMs: config.runs.sweepSeconds * 1000,
    deltaRetentionSeconds: config.events.deltaRetentionSeconds,
  });
  const submit = {
    ...claim,
    mayStart: () => isWorker && queue.hasRoom(),
    attachFiles: options.files.attach,
  };
  return {
    ...createRuns({ database, journal, queue, signals, worker, submit }),
    lookAgain: sweeper.sweep,
    async start() {
      await worker?.start();
      if (isWorker) await sweeper.start();
    },
    async stop() {
      sweeper.stop();
      await worker?.drain(config.runs.graceSeconds * 1000);
      await journal.close();
      await Promise.all([queue.close(), signals.close()]);
    },
  };
}

/** Words are compared inside the claim's transaction; where a model must be asked, the memory node does it afterwards. */
function recallInClaim({ config, memory }: RunRoomOptions): ClaimTools['recall'] {
  return async (sql, { userId, prompt, user }) => {
    if (!config.memory.enabled || settingsOf(user).privacy.memory_enabled === false) return [];
    return memory.recallWithin(sql, { userId, query: prompt });
  };
}

function graphRooms(options: RunRoomOptions, newId: () => string): GraphRooms {
  const { limits, approvalExpirySeconds } = options.config.runs;
  return {
    models: options.models,
    skills: options.skills,
    memory: options.memory,
    files: options.files,
    templates: options.templates,
    limits: {
      steps: limits.steps,
      tokens: limits.tokens,
      cost: parsePico(limits.cost),
      wallTimeMs: limits.wallTimeSeconds * 1000,
    },
    approvalExpirySeconds,
    memoryLearning: options.config.memory.learning,
    memoryEnabled: options.config.memory.enabled,
    worthLearning,
    now: options.now,
    newId,
  };
}

/** How much of a thread a client gets back when a text it saw became void. */
const SNAPSHOT_MESSAGES = 200;

async function snapshotOf({ sql }: Database, { state: { identity } }: ClaimedRun) {
  const session = { id: identity.sessionId, thread_id: identity.threadId };
  const page = await readHistory(sql, session, { limit: SNAPSHOT_MESSAGES });
  return messagesSnapshot(identity, page.messages);
}
