import {
  type ChatModelRunResult,
  ExportedMessageRepository,
  type ThreadAssistantMessagePart,
  type ThreadHistoryAdapter,
} from '@assistant-ui/react';
import type { AgUiInterrupt } from '@assistant-ui/react-ag-ui';
import { headers, kith, threadId } from './kith';

interface Said {
  messages: { id: string; run_id: string; role: 'user' | 'assistant' | 'tool'; content: string }[];
}

interface KithEvent {
  type: string;
  messageId: string;
  delta: string;
  toolCallId: string;
  toolCallName: string;
  content: string;
  message: string;
  outcome?: { interrupts?: AgUiInterrupt[] };
}

/** After a reload: what was said before the last run, and the last run once more from its beginning, finished or not. */
export function historyOf(): ThreadHistoryAdapter {
  let lastRun = '';
  return {
    async load() {
      const answer = await fetch(`${kith}/history?threadId=${threadId}`, { headers });
      const { messages }: Said = answer.ok ? await answer.json() : { messages: [] };
      lastRun = messages.at(-1)?.run_id ?? '';
      const earlier = messages.flatMap(({ id, run_id, role, content }) =>
        role === 'user' || (role === 'assistant' && content && run_id !== lastRun) ? [{ id, role, content }] : [],
      );
      return { ...ExportedMessageRepository.fromArray(earlier), unstable_resume: lastRun !== '' };
    },
    async *resume() {
      const parts = new Map<string, ThreadAssistantMessagePart>();
      for await (const event of eventsOf(lastRun)) yield seen(parts, event);
    },
    // The server keeps the conversation.
    append: async () => {},
  };
}

function seen(parts: Map<string, ThreadAssistantMessagePart>, event: KithEvent): ChatModelRunResult {
  const { type, messageId, toolCallId, toolCallName: toolName } = event;
  const known = parts.get(type.startsWith('TOOL') ? toolCallId : messageId);
  if (type === 'TEXT_MESSAGE_CONTENT') {
    parts.set(messageId, { type: 'text', text: (known?.type === 'text' ? known.text : '') + event.delta });
  }
  if (type === 'TOOL_CALL_START') {
    parts.set(toolCallId, { type: 'tool-call', toolCallId, toolName, args: {}, argsText: '' });
  }
  if (type === 'TOOL_CALL_RESULT' && known?.type === 'tool-call') {
    parts.set(toolCallId, { ...known, result: event.content });
  }
  const interrupts = event.outcome?.interrupts ?? [];
  for (const { id, toolCallId: call = '' } of interrupts) {
    const waiting = parts.get(call);
    if (waiting?.type === 'tool-call') parts.set(call, { ...waiting, approval: { id } });
  }
  return { content: [...parts.values()], ...(interrupts.length > 0 ? asking(interrupts) : {}), ...ending(event) };
}

/** A question that waits is a state of the message; this is where the AG-UI runtime looks for it. */
const asking = (interrupts: AgUiInterrupt[]): ChatModelRunResult => ({
  status: { type: 'requires-action', reason: 'interrupt' },
  metadata: { custom: { agui: { interrupts } } },
});

const ending = ({ type, message }: KithEvent): ChatModelRunResult => {
  if (type === 'RUN_STARTED') return { status: { type: 'running' } };
  if (type === 'RUN_ERROR') return { status: { type: 'incomplete', reason: 'error', error: message } };
  return {};
};

async function* eventsOf(runId: string): AsyncGenerator<KithEvent> {
  const response = await fetch(`${kith}/runs/${threadId}/events?runId=${runId}`, { headers });
  if (!response.ok || !response.body) throw new Error(`${response.status} ${response.statusText}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = '', part = await reader.read(); !part.done; part = await reader.read()) {
    const frames = (rest + part.value).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data) yield JSON.parse(data);
    }
  }
}
