import { EventSchema } from '@ag-ui/core/schemas';
import type { Json, JsonObject, KithEvent } from '@kith/protocol';
import { cardOf } from './card.ts';
import { toFlat } from './flat.ts';

/** Which generation of client reads: only those of protocol 1.0 say so, and only they understand every outcome. */
export interface AgUiReader {
  protocolVersion?: string | null | undefined;
}

const officialFields: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  EventSchema.options.map((schema) => [schema.shape.type.value, new Set(Object.keys(schema.shape))]),
);

/** Known from RUN_STARTED; on every delta they would only be copied into the client's messages. */
const contextFields = new Set(['threadId', 'runId']);

/**
 * An event in plain AG-UI: official fields only, everything else of ours under `metadata`, which official clients keep. A tool
 * result with a card is followed by that card.
 */
export function toAgUi(event: KithEvent, reader: AgUiReader = {}): JsonObject[] {
  const shown = event.type === 'TOOL_CALL_RESULT' ? cardOf(event) : undefined;
  const understood = understoodBy(reader, event);
  return shown ? [split(understood), split(shown)] : [split(understood)];
}

function split(event: KithEvent): JsonObject {
  const official = officialFields.get(event.type);
  const plain: Record<string, Json> = {};
  const extras: Record<string, Json> = {};
  for (const [field, value] of Object.entries(toFlat(event))) {
    if (official?.has(field)) plain[field] = value;
    else if (!contextFields.has(field)) extras[field] = value;
  }
  return Object.keys(extras).length === 0 ? plain : { ...plain, metadata: extras };
}

/** The client before 1.0 fails on outcomes that it does not know, and takes a call for the child of the message it names. */
function understoodBy(reader: AgUiReader, event: KithEvent): KithEvent {
  if (event.type === 'TOOL_CALL_START') return { ...event, parentMessageId: event.parentMessageId ?? event.messageId };
  if (event.type !== 'RUN_FINISHED' || reader.protocolVersion === '1.0') return event;
  if (event.outcome?.type === 'success') return { ...event, outcome: { type: 'success' } };
  if (event.outcome?.type !== 'cancelled') return event;
  const { threadId, runId } = event;
  return { type: 'RUN_ERROR', threadId, runId, message: 'run canceled by user', code: 'RUN_CANCELED' };
}
