import type { MemoryUpdate, RecalledMemory } from '@kith/protocol';
import type { Transaction } from '../db/index.ts';
import type { ModelCallRow } from '../models/port.ts';

export interface MemorySource {
  thread_id: string;
  run_id: string;
  turn: number;
}

/** What is remembered of one user. Every method is about that user alone. */
export interface Memory {
  /** What may matter for this message, best first, within the prompt's budget. Bookings: an embedding call, if one was made. */
  recall(request: {
    userId: string;
    query: string;
    sessionId?: string;
    runId?: string;
    signal?: AbortSignal;
  }): Promise<{ memories: RecalledMemory[]; bookings: ModelCallRow[] }>;
  /** Keeps what the learning step found; supersedes what it contradicts. Gives the ids of what is new. */
  learn(sql: Transaction, userId: string, update: MemoryUpdate, source: MemorySource): Promise<string[]>;
  /** Keeps a turn verbatim, searchable with the one before it. */
  keepTurn(
    sql: Transaction,
    userId: string,
    turn: { prompt: string; answer: string; previous: string },
    source: MemorySource,
  ): Promise<void>;
}
