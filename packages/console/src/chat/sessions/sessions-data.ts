import { Session, SessionPage, UsageTotals } from '@kith/protocol';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, segment } from '../../api/index.ts';

const path = (threadId: string) => `api/v1/agent/sessions/${segment(threadId)}`;
const PAGE = 30;

/** The latest first, as far as they were asked for; looked at again while one is running. */
export const useSessions = (search: string) =>
  useInfiniteQuery({
    queryKey: ['sessions', 'list', search],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api.get('api/v1/agent/sessions', SessionPage, { query: { q: search, cursor: pageParam, limit: PAGE }, signal }),
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.sessions.some(({ status }) => status === 'running')) ? 5000 : false,
  });

export const useSession = (threadId: string, isKnown: boolean) =>
  useQuery({
    queryKey: ['sessions', threadId],
    queryFn: ({ signal }) => api.get(path(threadId), Session, { signal }),
    enabled: isKnown,
  });

export const useSessionUsage = (threadId: string, isKnown: boolean) =>
  useQuery({
    queryKey: ['sessions', threadId, 'usage'],
    queryFn: ({ signal }) => api.get(`${path(threadId)}/usage`, UsageTotals, { signal }),
    enabled: isKnown,
  });

export function useRename() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ threadId, title }: { threadId: string; title: string }) =>
      api.patch(path(threadId), Session, { body: { title } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  });
}

export function useDelete() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (threadId: string) => api.delete(path(threadId)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions', 'list'] }),
  });
}
