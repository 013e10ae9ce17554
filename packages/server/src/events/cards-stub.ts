import type { ToolOutput, UiSchema } from '@kith/protocol';
export function compileUiSchema(output: ToolOutput): UiSchema | undefined {
  if (!output.ui_hints) return undefined;
  const { kind, title, blocks, actions } = output.ui_hints;
  return { version: 1, kind, title, status: output.status, blocks, actions };
}
