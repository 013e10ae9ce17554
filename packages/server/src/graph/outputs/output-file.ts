import type { JsonObject, ToolOutput } from '@kith/protocol';
import { compileUiSchema } from '../../events/index.ts';
import { writeMessage } from '../draft.ts';
import type { RunServices } from '../services.ts';
import type { RunState } from '../state.ts';
import { runOf } from '../stream.ts';

export interface OutputFile {
  file_id: string;
  name: string;
  url: string;
  size: number;
}

/** Shows a made file the way tool results are shown: as a card, in the stream and in the history. */
export function fileCard(state: RunState, services: RunServices, tool: string, file: OutputFile): void {
  const toolCallId = `file_${file.file_id}`;
  const args: JsonObject = { name: file.name };
  const output: ToolOutput = {
    status: 'success',
    summary: file.name,
    result: { file_id: file.file_id, name: file.name, size: file.size },
    ui_hints: { kind: tool, title: file.name, blocks: [{ type: 'file', ...file }], actions: [] },
  };
  const uiSchema = compileUiSchema(output);
  const run = runOf(state);
  const [callMessageId, resultMessageId] = [services.newId(), services.newId()];
  const common = { ...run, messageId: callMessageId, toolCallId, toolCallName: tool, stage: 'worker' } as const;
  const facts = {
    tool_name: tool,
    tool_call_id: toolCallId,
    tool_call_args: args,
    status: output.status,
    result: output.result,
    ...(uiSchema ? { ui_schema: uiSchema } : {}),
  };
  const content = JSON.stringify(output.result);
  services.draft.events.push(
    { type: 'TOOL_CALL_START', ...common },
    { type: 'TOOL_CALL_ARGS', ...common, args, delta: JSON.stringify(args) },
    { type: 'TOOL_CALL_END', ...common },
    {
      type: 'TOOL_CALL_RESULT',
      ...run,
      messageId: resultMessageId,
      toolCallId,
      role: 'tool',
      content,
      stage: 'worker',
      ...facts,
    },
  );
  writeMessage(services.draft, state.input.mode, 'agent_output', {
    id: resultMessageId,
    role: 'tool',
    content,
    metadata: { type: 'tool_result', stage: 'worker', ...facts },
  });
}
