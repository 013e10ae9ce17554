import type { LoggedEvent } from '@kith/protocol';

export type Unsubscribe = () => void;

/** How readers learn that a thread's log has grown. The log is the truth; a bus may lose, repeat or be late. */
export interface EventBus {
  /** Tells readers of a thread what was committed. Publishing twice is harmless. */
  publish(sessionId: string, events: readonly LoggedEvent[]): Promise<void>;
  /**
   * Live events of a thread, in order, possibly with gaps: the reader fills them from the log. An empty list means that
   * something may have been missed. Resolves once it listens.
   */
  subscribe(sessionId: string, onEvents: (events: readonly LoggedEvent[]) => void): Promise<Unsubscribe>;
  close(): Promise<void>;
}
