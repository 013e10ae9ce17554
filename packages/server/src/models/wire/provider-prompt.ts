import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import { isJsonObject } from '../json.ts';
import type { ModelMessage, ModelTool, ToolCall } from '../port.ts';

type Tools = NonNullable<LanguageModelV4CallOptions['tools']>;

/** Our messages in the form of the AI SDK's providers. */
export function providerPrompt(messages: readonly ModelMessage[]): LanguageModelV4Message[] {
  return messages.map(providerMessage);
}

export function providerTools(tools: readonly ModelTool[]): Tools {
  return tools.map((tool) => ({
    type: 'function',
    name: tool.name,
    description: tool.description,
    inputSchema: tool.parameters,
  }));
}

function providerMessage(message: ModelMessage): LanguageModelV4Message {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return {
        role: 'user',
        content: [
          { type: 'text', text: message.content },
          ...(message.images ?? []).map((url) => ({
            type: 'file' as const,
            mediaType: 'image',
            data: { type: 'url' as const, url: new URL(url) },
          })),
        ],
      };
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          // Vendors that think want it back where tools are used; the provider knows which of it to send.
          ...(message.reasoning ? [{ type: 'reasoning' as const, text: message.reasoning }] : []),
          ...(message.content ? [{ type: 'text' as const, text: message.content }] : []),
          ...(message.toolCalls ?? []).map(toolCallPart),
        ],
      };
    case 'tool':
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.toolCallId,
            toolName: message.toolName,
            output: { type: 'text', value: message.content },
          },
        ],
      };
  }
}

function toolCallPart(call: ToolCall) {
  return {
    type: 'tool-call' as const,
    toolCallId: call.id,
    toolName: call.name,
    input: argumentsOf(call),
  };
}

/** Vendors refuse a history whose arguments are not a JSON object, even where the model itself wrote them so. */
function argumentsOf(call: ToolCall): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(call.arguments);
    if (isJsonObject(parsed)) return parsed;
  } catch {
    // Falls through.
  }
  return call.arguments === '' ? {} : { invalid_json: call.arguments };
}
