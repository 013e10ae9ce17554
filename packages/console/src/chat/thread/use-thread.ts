import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { identity } from '../../api/index.ts';
import type { ThreadSnapshot } from './thread-model.ts';
import { createThreadStore, type ThreadStore } from './thread-store.ts';

/** Threads that were looked at lately: coming back shows them at once. Forgotten when somebody else sits down. */
const recent = new Map<string, ThreadStore>();
const MOST_RECENT = 8;
identity.subscribe(() => recent.clear());

export function threadOf(threadId: string, options: { isNew: boolean; onChange: () => void }): ThreadStore {
  const known = recent.get(threadId);
  const store = known ?? createThreadStore({ threadId, ...options });
  recent.delete(threadId);
  recent.set(threadId, store);
  const oldest = recent.keys().next().value;
  if (recent.size > MOST_RECENT && oldest !== undefined) recent.delete(oldest);
  return store;
}

/** Whatever shows sessions and their totals fetches them again. */
export function useThreadChanges(): () => void {
  const queries = useQueryClient();
  return useMemo(
    () => () => {
      void queries.invalidateQueries({ queryKey: ['sessions'] });
      void queries.invalidateQueries({ queryKey: ['runs'] });
    },
    [queries],
  );
}

export function useThread(store: ThreadStore): ThreadSnapshot {
  useEffect(() => store.open(), [store]);
  return useSyncExternalStore(store.subscribe, store.snapshot);
}
