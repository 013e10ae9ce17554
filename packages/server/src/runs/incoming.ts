import { Decision, type InputMessage, type JsonObject, type RunAgentInput } from '@kith/protocol';
import { errors } from '../errors/index.ts';

/** What is new in a request: clients send whole transcripts, but the server owns the history. */
export interface Incoming {
  /** User messages at the end of the transcript, oldest first. */
  userMessages: { clientId: string | undefined; text: string }[];
  /** Results of tools that ran in the client. */
  toolResults: { toolCallId: string; content: string }[];
  decisions: { toolCallId: string; decision: Decision }[];
  fileIds: string[];
}

export function readIncoming(input: RunAgentInput): Incoming {
  const lastAnswer = input.messages.findLastIndex((message) => message.role === 'assistant');
  const tail = input.messages.slice(lastAnswer + 1);
  return {
    userMessages: tail
      .filter((message) => message.role === 'user')
      .map((message) => ({ clientId: message.id, text: textOf(message) }))
      .filter((message) => message.text !== ''),
    toolResults: tail.flatMap((message) =>
      message.role === 'tool' && message.toolCallId
        ? [{ toolCallId: message.toolCallId, content: textOf(message) }]
        : [],
    ),
    decisions: (input.resume ?? []).map((entry) => ({
      toolCallId: entry.interruptId,
      decision: entry.status === 'cancelled' ? { approved: false } : readDecision(entry.payload),
    })),
    fileIds: [...(input.forwardedProps?.file_ids ?? []), ...tail.flatMap(filesOf)],
  };
}

/** A resume's payload: `{approved, reason?, editedArgs?}`, or a bare boolean. */
function readDecision(payload: unknown): Decision {
  if (typeof payload === 'boolean') return { approved: payload };
  const raw = typeof payload === 'object' && payload !== null ? { ...payload } : {};
  const { editedArgs, ...rest } = raw as { editedArgs?: JsonObject };
  const parsed = Decision.safeParse(editedArgs === undefined ? rest : { ...rest, args: editedArgs });
  if (parsed.success) return parsed.data;
  throw errors.REQUEST_INVALID({
    fields: parsed.error.issues.map((issue) => ({
      field: `resume.payload.${issue.path.join('.')}`,
      message: issue.message,
    })),
  });
}

function textOf(message: InputMessage): string {
  if (typeof message.content === 'string') return message.content;
  if (!Array.isArray(message.content)) return '';
  return message.content.flatMap((part) => (part.type === 'text' && part.text ? [part.text] : [])).join('\n');
}

/** Parts that point at an uploaded file by its id. */
function filesOf(message: InputMessage): string[] {
  if (!Array.isArray(message.content)) return [];
  return message.content.flatMap((part) => (part.type !== 'text' && part.id ? [part.id] : []));
}
