import type { HistoryMessage, JsonObject, KithEvent } from '@kith/protocol';
import { toAgUi } from './ag-ui.ts';
import { cardOf } from './card.ts';

/** A message as AG-UI clients hold it. */
export type TranscriptMessage = {
  id: string;
  role: 'user' | 'assistant' | 'tool' | 'activity' | 'reasoning';
  content?: string | JsonObject;
  toolCalls?: TranscriptCall[];
  toolCallId?: string;
  activityType?: string;
  metadata?: JsonObject;
};

export type TranscriptCall = {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  metadata?: JsonObject;
};

export interface RunName {
  threadId: string;
  runId: string;
}

/** The conversation as the server keeps it, in the form that a live reader would have put together. */
export function transcriptOfHistory(history: readonly HistoryMessage[], run: RunName): TranscriptMessage[] {
  const transcript = new Map<string, TranscriptMessage>();
  for (const message of history) {
    if (message.metadata.type === 'user_input') {
      // Under the client's own id: it would otherwise drop its message for ours, which then stands last.
      const id = message.metadata.client_message_id ?? message.id;
      transcript.set(id, { id, role: 'user', content: message.content });
    } else for (const event of eventsOf(message, run)) apply(transcript, event);
  }
  return [...transcript.values()];
}

/** What a live reader holds after these events of a run. */
export function transcriptOfEvents(events: readonly KithEvent[]): TranscriptMessage[] {
  const transcript = new Map<string, TranscriptMessage>();
  for (const event of events) apply(transcript, event);
  return [...transcript.values()];
}

/** The events that a message came from. */
function eventsOf({ id, content, metadata }: HistoryMessage, run: RunName): KithEvent[] {
  switch (metadata.type) {
    case 'user_input':
      return [];
    case 'tool_call': {
      const { tool_call_id: toolCallId, tool_name: toolCallName, tool_call_args: args, stage } = metadata;
      const call = { ...run, messageId: id, toolCallId, toolCallName, stage };
      return [
        { type: 'TOOL_CALL_START', ...call },
        { type: 'TOOL_CALL_ARGS', ...call, args, delta: JSON.stringify(args) },
        { type: 'TOOL_CALL_END', ...call },
      ];
    }
    case 'tool_result': {
      const { type: _type, error, tool_call_args = {}, ...facts } = metadata;
      const result = { messageId: id, toolCallId: metadata.tool_call_id, role: 'tool', content } as const;
      const failure = error ? { error } : {};
      return [{ type: 'TOOL_CALL_RESULT', ...run, ...result, ...facts, tool_call_args, ...failure }];
    }
    case 'assistant_output': {
      // What was learned is a note beside the conversation: a live reader does not get it as a message either.
      if (metadata.stage === 'memory') return [];
      const { stage, status = 'success', suggested_actions = [] } = metadata;
      const text = { ...run, messageId: id, role: 'assistant', stage } as const;
      return [
        { type: 'TEXT_MESSAGE_START', ...text },
        { type: 'TEXT_MESSAGE_CONTENT', ...run, messageId: id, delta: content },
        { type: 'TEXT_MESSAGE_END', ...text, status, answer: content, suggested_actions },
      ];
    }
  }
}

function apply(transcript: Map<string, TranscriptMessage>, event: KithEvent): void {
  switch (event.type) {
    case 'TEXT_MESSAGE_START':
      transcript.set(event.messageId, { id: event.messageId, role: 'assistant', content: '' });
      note(transcript.get(event.messageId), event);
      break;
    case 'TEXT_MESSAGE_END': {
      const message = transcript.get(event.messageId);
      note(message, event);
      // The deltas of an old run are gone; its answer is not.
      if (message && event.answer) message.content = event.answer;
      break;
    }
    case 'REASONING_MESSAGE_START':
      transcript.set(event.messageId, { id: event.messageId, role: 'reasoning', content: '' });
      break;
    case 'TEXT_MESSAGE_CONTENT':
    case 'REASONING_MESSAGE_CONTENT': {
      const message = transcript.get(event.messageId);
      if (message) message.content = `${message.content ?? ''}${event.delta}`;
      break;
    }
    case 'TOOL_CALL_START':
      openCall(transcript, event);
      break;
    case 'TOOL_CALL_ARGS':
    case 'TOOL_CALL_END': {
      const calls = transcript.values().flatMap((message) => message.toolCalls ?? []);
      const call = calls.find(({ id }) => id === event.toolCallId);
      if (call && event.type === 'TOOL_CALL_ARGS') call.function.arguments += event.delta;
      note(call, event);
      break;
    }
    case 'TOOL_CALL_RESULT': {
      const { messageId: id, role, toolCallId, content } = event;
      transcript.set(id, { id, role, toolCallId, content });
      note(transcript.get(id), event);
      const card = cardOf(event);
      if (card) apply(transcript, card);
      break;
    }
    case 'ACTIVITY_SNAPSHOT': {
      const { messageId: id, activityType, content } = event;
      transcript.set(id, { id, role: 'activity', activityType, content });
      break;
    }
    case 'MESSAGES_SNAPSHOT': {
      // After a crash: what it does not name any more is void.
      const kept = new Set(event.messages.map((message) => message.id));
      for (const id of [...transcript.keys()]) if (!kept.has(id)) transcript.delete(id);
      break;
    }
    default:
      break;
  }
}

type CallStart = Extract<KithEvent, { type: 'TOOL_CALL_START' }>;

function openCall(transcript: Map<string, TranscriptMessage>, event: CallStart): void {
  const id = event.parentMessageId ?? event.messageId;
  const message = transcript.get(id) ?? { id, role: 'assistant' };
  const call: TranscriptCall = {
    id: event.toolCallId,
    type: 'function',
    function: { name: event.toolCallName, arguments: '' },
  };
  note(call, event);
  message.toolCalls = [...(message.toolCalls ?? []), call];
  transcript.set(id, message);
}

/** Clients merge an event's metadata into the message or call that it builds. */
function note(built: { metadata?: JsonObject } | undefined, event: KithEvent): void {
  const metadata = toAgUi(event)[0]?.metadata;
  if (built && typeof metadata === 'object' && !Array.isArray(metadata)) {
    built.metadata = { ...built.metadata, ...metadata };
  }
}
