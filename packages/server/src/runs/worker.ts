import type { KithEvent } from '@kith/protocol';
import type { Database } from '../db/index.ts';
import { closings, type Journal, noSpans, readEvents, track } from '../events/index.ts';
import {
  type Execution,
  type ExecutionTools,
  executeRun,
  type GraphRooms,
  RunStopped,
  type Standing,
} from '../graph/index.ts';
import type { Log, Metrics } from '../observability/index.ts';
import { type ClaimedRun, type ClaimTools, claimRun } from './claim.ts';
import type { RunQueue, RunSignals } from './queue/queue.ts';

/** Takes runs, keeps their leases alive while they work, and lets go of them cleanly. */
export interface Worker {
  start(): Promise<void>;
  /** Starts a run that a request has claimed for this process in its own transaction. */
  take(claimed: ClaimedRun): void;
  /** No new leases; what is under way gets a grace time, then its lease is given back. */
  drain(graceMs: number): Promise<void>;
}

export interface WorkerTools {
  database: Pick<Database, 'sql'>;
  journal: Journal;
  queue: RunQueue;
  signals: RunSignals;
  rooms: GraphRooms;
  claim: ClaimTools;
  execution: ExecutionTools;
  log: Log;
  metrics: Metrics;
  concurrency: number;
  /** Told how each run ended, or where it waits. */
  onEnd: (claimed: ClaimedRun, standing: Standing) => Promise<void>;
  snapshotOf: (claimed: ClaimedRun) => Promise<KithEvent>;
}

export function createWorker(tools: WorkerTools): Worker {
  const { sql } = tools.database;
  const active = new Map<string, AbortController>();

  const work = async (claimed: ClaimedRun): Promise<void> => {
    const { rowId, sessionId } = claimed.state.identity;
    const controller = new AbortController();
    active.set(rowId, controller);
    tools.metrics.runsActive.inc();
    const heartbeat = keepLease(tools, claimed, controller);
    try {
      if (claimed.cancelRequested) controller.abort(new RunStopped('canceled'));
      const departure = await executeRun(
        await toExecution(tools, claimed),
        tools.rooms,
        tools.execution,
        controller.signal,
      );
      if (departure.how === 'given_back') await giveBack(tools, claimed);
      if (departure.how === 'ended') await tools.onEnd(claimed, departure.standing);
      tools.metrics.runs.inc({ status: departure.how === 'ended' ? departure.standing.run : departure.how });
    } finally {
      clearInterval(heartbeat);
      active.delete(rowId);
      tools.metrics.runsActive.dec();
    }
    // One run a wake-up, then to the back of the queue: a busy thread does not starve the others.
    if (claimed.state.moreWaiting) await tools.queue.wake(sessionId);
  };

  const handle = async (sessionId: string): Promise<void> => {
    const claimed = await sql.begin((transaction) => claimRun(transaction, sessionId, tools.claim));
    if (!claimed) return;
    publishStart(tools.journal, claimed);
    await work(claimed);
  };

  return {
    async start() {
      await tools.signals.onCancel((rowId) => active.get(rowId)?.abort(new RunStopped('canceled')));
      await tools.queue.start(handle, tools.concurrency);
    },
    take(claimed) {
      publishStart(tools.journal, claimed);
      tools.queue.runHere(claimed.state.identity.sessionId, () => work(claimed));
    },
    async drain(graceMs) {
      const timer = setTimeout(() => {
        for (const controller of active.values()) controller.abort(new RunStopped('drained'));
      }, graceMs);
      await tools.queue.drain();
      clearTimeout(timer);
    },
  };
}

/** The claim has committed RUN_STARTED; readers are told now. */
function publishStart(journal: Journal, claimed: ClaimedRun): void {
  if (claimed.takenOver) return;
  const { threadId, runId, sessionId } = claimed.state.identity;
  journal.publish(sessionId, [{ seq: claimed.eventHead + 1, runId, event: { type: 'RUN_STARTED', threadId, runId } }]);
}

/** Extends the lease at a third of its length, and learns of cancels whose hint was lost. A lease that is gone stops the run. */
function keepLease(tools: WorkerTools, claimed: ClaimedRun, controller: AbortController): NodeJS.Timeout {
  const { rowId, attempt } = claimed.state.identity;
  const { leaseSeconds } = tools.claim;
  let lastKept = Date.now();
  const beat = async () => {
    try {
      const [row] = await tools.database.sql<{ canceled: boolean }[]>`
        update runs set lease_until = now() + make_interval(secs => ${leaseSeconds})
        where id = ${rowId} and attempt = ${attempt} and status = 'running'
        returning cancel_requested_at is not null as canceled`;
      if (!row) controller.abort(new RunStopped('lease_lost'));
      if (row?.canceled) controller.abort(new RunStopped('canceled'));
      lastKept = Date.now();
    } catch (error) {
      tools.log.warn({ err: error }, 'a lease could not be extended');
      if (Date.now() - lastKept > leaseSeconds * 1000) controller.abort(new RunStopped('lease_lost'));
    }
  };
  return setInterval(beat, (leaseSeconds * 1000) / 3);
}

/** What an attempt before this one left open is found in the log, so that the stream can go on legally. */
async function toExecution(tools: WorkerTools, claimed: ClaimedRun): Promise<Execution> {
  const openSpans = noSpans();
  const { sessionId, runId, threadId } = claimed.state.identity;
  if (claimed.takenOver) {
    let after = 0;
    for (let more = true; more; ) {
      const events = await readEvents(tools.database.sql, sessionId, { after, runId });
      for (const { event } of events) track(openSpans, event);
      after = events.at(-1)?.seq ?? after;
      more = events.length === 1000;
    }
  }
  const voided = closings(openSpans, { threadId, runId }).some((event) => event.type === 'TEXT_MESSAGE_END');
  return { ...claimed, openSpans, snapshot: voided ? await tools.snapshotOf(claimed) : undefined };
}

/** A run that was not finished in time goes back to the queue at once, instead of when its lease runs out. */
async function giveBack(tools: WorkerTools, claimed: ClaimedRun): Promise<void> {
  const { rowId, attempt } = claimed.state.identity;
  await tools.database.sql`
    update runs set lease_until = now() - interval '1 second' where id = ${rowId} and attempt = ${attempt} and status = 'running'`;
}
