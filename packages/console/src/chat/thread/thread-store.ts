import type { Decision } from '@kith/protocol';
import { createOutbox, type Outbox } from './outbox.ts';
import { createReader, type ThreadReader } from './reader.ts';
import { cancelRun, decideCall } from './requests.ts';
import { createThreadModel, type ThreadModel, type ThreadSnapshot } from './thread-model.ts';

/** A thread: its history, what is being said, and everything one can do with it. */
export interface ThreadStore extends Outbox {
  readonly threadId: string;
  subscribe(listener: () => void): () => void;
  snapshot(): ThreadSnapshot;
  /** A page shows the thread: it is loaded and followed until the page leaves. */
  open(): () => void;
  loadOlder(): void;
  stop(runId: string): Promise<void>;
  decide(runId: string, toolCallId: string, decision: Decision): Promise<void>;
}

export interface ThreadStoreOptions {
  threadId: string;
  /** Made on this page a moment ago: there is nothing to load. */
  isNew: boolean;
  /** Something changed that others show too: the list of sessions, the totals. */
  onChange: () => void;
}

export function createThreadStore({ threadId, isNew, onChange }: ThreadStoreOptions): ThreadStore {
  const model = createThreadModel(isNew ? 'new' : 'loading');
  const reader = createReader({ threadId, model, onChange });
  const outbox = createOutbox({
    threadId,
    model,
    onAccepted: () => {
      onChange();
      void reader.follow();
    },
  });
  return {
    threadId,
    subscribe: model.subscribe,
    snapshot: model.snapshot,
    ...outbox,
    open: () => openThread(model, reader),
    loadOlder: () => void reader.loadOlder(),
    async stop(runId) {
      await cancelRun(threadId, runId);
      // A run that waits for approval has no stream that would tell.
      if (model.state().runs.get(runId)?.phase === 'waiting') await reader.load();
    },
    async decide(runId, toolCallId, decision) {
      const { status } = await decideCall(threadId, toolCallId, decision);
      model.changeRun(runId, (run) => ({
        ...run,
        phase: status === 'awaiting_approval' ? 'waiting' : 'queued',
        approvals: run.approvals.filter((approval) => approval.toolCallId !== toolCallId),
      }));
      void reader.follow();
    },
  };
}

/** Loads now, and again whenever somebody comes back to the page or the network comes back to it. */
function openThread(model: ThreadModel, reader: ThreadReader): () => void {
  const visit = new AbortController();
  reader.begin(visit.signal);
  const isKnown = () => model.state().phase !== 'new';
  const look = () => {
    if (document.visibilityState === 'visible' && isKnown()) void reader.load();
  };
  document.addEventListener('visibilitychange', look, { signal: visit.signal });
  window.addEventListener('online', look, { signal: visit.signal });
  if (isKnown()) void reader.load();
  else void reader.follow();
  return () => visit.abort();
}
