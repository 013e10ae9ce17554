import { JsonObject, type KithEvent } from '@kith/protocol';
import { toA2ui } from '../cards/a2ui.ts';

type ToolResult = Extract<KithEvent, { type: 'TOOL_CALL_RESULT' }>;

/** The card of a tool result, as a surface that AG-UI front ends draw by themselves. */
export function cardOf({ threadId, runId, toolCallId, ui_schema }: ToolResult): KithEvent | undefined {
  if (!ui_schema) return undefined;
  return {
    type: 'ACTIVITY_SNAPSHOT',
    threadId,
    runId,
    messageId: `${toolCallId}-card`,
    activityType: 'a2ui-surface',
    content: JsonObject.parse({ a2ui_operations: toA2ui(ui_schema, toolCallId) }),
    replace: true,
  };
}
