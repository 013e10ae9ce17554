import type { LoggedEvent } from '@kith/protocol';
import type { EventBus } from './bus.ts';

type Reader = (events: readonly LoggedEvent[]) => void;

/** For one process: readers are called as soon as events are committed. */
export function memoryBus(): EventBus {
  const readers = new Map<string, Set<Reader>>();
  return {
    async publish(sessionId, events) {
      for (const reader of readers.get(sessionId) ?? []) reader(events);
    },
    async subscribe(sessionId, reader) {
      const group = readers.get(sessionId) ?? new Set<Reader>();
      readers.set(sessionId, group.add(reader));
      return () => {
        group.delete(reader);
        if (group.size === 0 && readers.get(sessionId) === group) readers.delete(sessionId);
      };
    },
    async close() {
      readers.clear();
    },
  };
}
