import type {
  FoundMemory,
  MemoryCorrection,
  MemoryInput,
  MemoryPage,
  MemoryQuery,
  MemoryUpdate,
  RecalledMemory,
  StoredMemory,
  StoredMemoryKind,
} from '@kith/protocol';
import type { Sql, Transaction } from '../db/index.ts';
import type { ModelCallRow } from '../models/index.ts';

export interface MemorySource {
  thread_id: string;
  run_id: string;
  turn: number;
}

/** What is remembered of one user. Every method is about that user alone: anyone else's memories do not exist. */
export interface Memory {
  /** What may matter for this message, best first, within the prompt's budget. Bookings: an embedding call, if one was made. */
  recall(request: {
    userId: string;
    query: string;
    sessionId?: string;
    runId?: string;
    signal?: AbortSignal;
  }): Promise<{ memories: RecalledMemory[]; bookings: ModelCallRow[] }>;
  /**
   * The same inside a transaction; undefined where that would hold it up: there is a model to ask, or the user has
   * thousands of memories that are not at hand yet.
   */
  recallWithin(sql: Transaction, request: { userId: string; query: string }): Promise<RecalledMemory[] | undefined>;
  /** Keeps what the learning step found; supersedes what it contradicts. Gives the ids of what is new. */
  learn(sql: Transaction, userId: string, update: MemoryUpdate, source: MemorySource): Promise<string[]>;
  /** Keeps a turn verbatim, searchable with the one before it. */
  keepTurn(
    sql: Transaction,
    userId: string,
    turn: {
      prompt: string;
      answer: string;
      previous: string;
      /** Ids of what was recalled for it: what is used stays fresh. */
      recalled: readonly string[];
    },
    source: MemorySource,
  ): Promise<void>;

  /**
   * What matches, best first: the ranking alone, without decay, standing preferences or budget. Whoever asks from inside
   * a transaction passes it on: the embedded database has one backend, and a second connection would wait for the first.
   */
  search(request: {
    userId: string;
    query: string;
    kind?: StoredMemoryKind | undefined;
    limit?: number | undefined;
    sessionId?: string | undefined;
    runId?: string | undefined;
    signal?: AbortSignal | undefined;
    sql?: Sql | Transaction | undefined;
  }): Promise<{ memories: FoundMemory[]; bookings: ModelCallRow[] }>;

  /** Everything, newest first, page by page. */
  list(userId: string, query: Pick<MemoryQuery, 'kind' | 'status' | 'cursor' | 'limit'>): Promise<MemoryPage>;
  get(userId: string, memoryId: string): Promise<StoredMemory>;
  /** By the user's own hand. What is known already is not added twice. */
  add(userId: string, input: MemoryInput): Promise<{ memory: StoredMemory; isNew: boolean }>;
  /** Puts a new memory in the place of one that holds; gives the new one. */
  correct(userId: string, memoryId: string, correction: MemoryCorrection): Promise<StoredMemory>;
  /**
   * Deletes a memory, all that it superseded, and the verbatim turns that these were learned from. Gives the ids of what
   * is gone; MEMORY_NOT_FOUND if there was nothing.
   */
  forget(userId: string, memoryId: string, sql?: Transaction): Promise<string[]>;
  /** Deletes all of the user's memories, and gives their number. */
  forgetAll(userId: string, sql?: Transaction): Promise<number>;
  /** All of them, superseded ones and turns included, oldest first. */
  export(userId: string): AsyncIterable<StoredMemory>;

  /** Ends the offline models, if they run. */
  close(): Promise<void>;
}
