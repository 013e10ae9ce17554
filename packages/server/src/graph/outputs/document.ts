import type { RunServices } from '../services.ts';
import type { RunState } from '../state.ts';
import type { OutputFile } from './output-file.ts';

/** `output.document`: the reply, kept as a Markdown file as well. */
export async function makeDocument(state: RunState, services: RunServices, text: string): Promise<OutputFile[]> {
  const heading = /^#\s+(.+)$/m.exec(text)?.[1] ?? state.task_goal;
  const name = `${fileName(heading)}.md`;
  const { userId, sessionId } = state.identity;
  return [await services.files.saveOutput(userId, sessionId, name, 'text/markdown', Buffer.from(text))];
}

/** A title as a file name: no separators, no control characters, not endless. */
export function fileName(title: string): string {
  const plain = [
    ...title
      .normalize('NFC')
      .replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, ' ')
      .trim(),
  ]
    .slice(0, 60)
    .join('');
  return plain || 'document';
}
