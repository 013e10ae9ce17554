import { type Decision, HistoryPage, RunAccepted, RunDetail, RunPage } from '@kith/protocol';
import { api, segment } from '../../api/index.ts';
import type { PendingMessage } from './rows.ts';

/** What a thread asks of the server. */

const PAGE = 50;
const RECENT_RUNS = 20;

export const fetchHistory = (threadId: string, before: number | undefined, signal?: AbortSignal) =>
  api.get('api/v1/agent/history', HistoryPage, { query: { threadId, before, limit: PAGE }, signal });

export const fetchRecentRuns = (threadId: string, signal?: AbortSignal) =>
  api.get('api/v1/agent/runs', RunPage, { query: { threadId, limit: RECENT_RUNS }, signal });

export const fetchRun = (threadId: string, runId: string, signal?: AbortSignal) =>
  api.get(`api/v1/agent/runs/${segment(threadId)}`, RunDetail, { query: { runId }, signal });

/** Sending the same run twice is harmless: the server knows it by its id. */
export const submitRun = (threadId: string, message: PendingMessage, signal?: AbortSignal) =>
  api.post('api/v1/agent/runs', RunAccepted, {
    body: {
      threadId,
      runId: message.runId,
      messages: [{ id: message.messageId, role: 'user', content: message.text }],
      ...(message.fileIds.length > 0 ? { forwardedProps: { file_ids: message.fileIds } } : {}),
    },
    signal,
  });

export const cancelRun = (threadId: string, runId: string) =>
  api.post(`api/v1/agent/runs/${segment(threadId)}/cancel`, RunAccepted, { query: { runId } });

export const decideCall = (threadId: string, toolCallId: string, decision: Decision) =>
  api.post(`api/v1/agent/runs/${segment(threadId)}/tool-calls/${segment(toolCallId)}/decision`, RunAccepted, {
    body: decision,
  });
