import { HistoryMessage, RunAccepted, RunDetail, RunPage, type RunStatus } from '@kith/protocol';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Contract, segment } from '../api/index.ts';
import type { Tone } from '../design/index.ts';

export const STATUS_TONES = {
  queued: 'plain',
  running: 'accent',
  awaiting_approval: 'warn',
  completed: 'good',
  failed: 'bad',
  canceled: 'plain',
} as const satisfies Record<RunStatus, Tone>;

export const isUnderWay = (status: RunStatus): boolean => status === 'queued' || status === 'running';
const hasEnded = (status: RunStatus): boolean => !isUnderWay(status) && status !== 'awaiting_approval';

export const useRuns = (status: 'failed' | undefined) =>
  useInfiniteQuery({
    queryKey: ['runs', 'list', status],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api.get('api/v1/agent/runs', RunPage, { query: { status, before: pageParam, limit: 50 }, signal }),
    getNextPageParam: (page) => page.next_before,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ runs }) => runs.some((run) => isUnderWay(run.status))) ? 2000 : 15_000,
  });

/** Looked at every second while it runs: a detail is one statement, and nothing is missed over a lost connection. */
export const useRun = (threadId: string, runId: string) =>
  useQuery({
    queryKey: ['runs', threadId, runId],
    queryFn: ({ signal }) => api.get(`api/v1/agent/runs/${segment(threadId)}`, RunDetail, { query: { runId }, signal }),
    refetchInterval: ({ state }) => {
      if (!state.data || hasEnded(state.data.status)) return false;
      return isUnderWay(state.data.status) ? 1000 : 3000;
    },
  });

export function useCancel(threadId: string, runId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.post(`api/v1/agent/runs/${segment(threadId)}/cancel`, RunAccepted, { query: { runId } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['runs'] }),
  });
}

const AuditPage: Contract<{ messages: HistoryMessage[] }> = {
  parse(value) {
    const messages = typeof value === 'object' && value !== null && 'messages' in value ? value.messages : value;
    return { messages: HistoryMessage.array().parse(messages) };
  },
};

export const useAudit = (threadId: string, isLive: boolean) =>
  useQuery({
    queryKey: ['sessions', threadId, 'audit'],
    queryFn: ({ signal }) => api.get(`api/v1/agent/sessions/${segment(threadId)}/audit`, AuditPage, { signal }),
    refetchInterval: isLive ? 3000 : false,
  });
