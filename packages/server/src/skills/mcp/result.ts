import { JsonObject, type ToolOutput } from '@kith/protocol';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { SkillFailure } from '../failures.ts';
import { done, storableObject, storableText } from '../output.ts';
import { cut } from '../words.ts';

/** What a tool from outside may say at most: the rest would only crowd the prompt. */
const LONGEST_TEXT = 20_000;

const Result = z.strictObject({
  content: z.string(),
  structured: JsonObject.optional(),
  truncated: z.boolean().optional(),
});

/** Its text, and its structured answer where that is small enough. Pictures and sounds are only named. */
export function outputOf(name: string, result: CallToolResult): ToolOutput {
  const text = storableText(result.content.map(textOf).join('\n'));
  if (result.isError) throw new SkillFailure('TOOL_FAILED', undefined, { reason: cut(text, 1000) || name });
  const content = cut(text, LONGEST_TEXT);
  const structured = JsonObject.safeParse(result.structuredContent).data;
  const fits = structured !== undefined && JSON.stringify(structured).length <= LONGEST_TEXT;
  const truncated = content !== text || (structured !== undefined && !fits);
  return done(
    Result,
    {
      // A structured answer is usually repeated as text.
      content: fits && isSame(structured, text) ? '' : content,
      ...(fits ? { structured: storableObject(structured) } : {}),
      ...(truncated ? { truncated } : {}),
    },
    { summary: `${name}: ${cut(content.replace(/\s+/g, ' '), 200)}` },
  );
}

function textOf(block: CallToolResult['content'][number]): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}: ${block.mimeType}]`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[resource: ${block.resource.uri}]`;
    case 'resource_link':
      return `[${block.name}](${block.uri})`;
  }
}

function isSame(structured: JsonObject, text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(structured);
  } catch {
    return false;
  }
}
