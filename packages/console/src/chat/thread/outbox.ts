import { isApiError, randomId } from '../../api/index.ts';
import { waitBeforeRetry } from './patience.ts';
import { submitRun } from './requests.ts';
import type { PendingMessage } from './rows.ts';
import { newRunView } from './run-view.ts';
import type { ThreadModel } from './thread-model.ts';
import { withoutPending, withPending, withRun } from './thread-state.ts';

/** Messages on their way out: in the order they were written, and none of them lost. */
export interface Outbox {
  send(message: { text: string; fileIds: readonly string[] }): void;
  resend(runId: string): void;
  /** Takes back a message that did not get through. */
  discard(runId: string): void;
}

export interface OutboxOptions {
  threadId: string;
  model: ThreadModel;
  /** The server has the message, and a run for it. */
  onAccepted: () => void;
}

export function createOutbox({ threadId, model, onAccepted }: OutboxOptions): Outbox {
  let submitting = Promise.resolve();
  const stand = (message: PendingMessage) => model.change(withPending(model.state(), message));

  const submit = async (message: PendingMessage) => {
    for (let failures = 0; ; failures++) {
      try {
        const { status } = await submitRun(threadId, message);
        stand({ ...message, state: 'sent', error: null });
        // Known already, where an attempt got through whose answer did not come back.
        const known = model.state().runs.get(message.runId);
        const run = known ?? newRunView(message.runId, status === 'running' ? 'running' : 'queued');
        model.change({ ...withRun(model.state(), run), phase: 'ready', isConnected: true });
        onAccepted();
        return;
      } catch (error) {
        // Not reached: nothing is lost, and the same message may safely be sent again.
        const isUnreached = isApiError(error) && (error.status === 0 || error.status === 503);
        if (!isUnreached) {
          stand({ ...message, state: 'failed', error: error instanceof Error ? error.message : String(error) });
          return;
        }
        model.change({ isConnected: false });
        await waitBeforeRetry(failures, new AbortController().signal);
      }
    }
  };
  const enqueue = (message: PendingMessage) => {
    stand(message);
    submitting = submitting.then(() => submit(message));
  };

  return {
    send({ text, fileIds }) {
      const at = new Date().toISOString();
      enqueue({ runId: randomId(), messageId: randomId(), text, fileIds, at, state: 'sending', error: null });
    },
    resend(runId) {
      const message = model.state().pending.find((each) => each.runId === runId);
      if (message) enqueue({ ...message, state: 'sending', error: null });
    },
    discard: (runId) => model.change(withoutPending(model.state(), runId)),
  };
}
