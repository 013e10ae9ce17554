import { useWords } from '../../language/index.ts';
import type { Row } from '../thread/index.ts';
import { chatWords } from '../words.ts';
import { useToolNames } from './tool-names.ts';

/**
 * Tells screen readers, when they have a moment, what happens: that work is under way, and then the answer, whole and once.
 * The list itself is silent, because it changes with every token.
 */
export function Announcer({ rows }: { rows: readonly Row[] }) {
  const words = useWords(chatWords);
  const last = rows.at(-1);
  const [tool = ''] = useToolNames(last?.kind === 'approval' ? [last.approval.toolName] : []);
  return (
    <div role="status" className="sr-only">
      {said(last)}
    </div>
  );

  function said(row: Row | undefined): string {
    if (row?.kind === 'activity') return row.step ? words.steps[row.step] : words.starting;
    if (row?.kind === 'approval') return words.approval.title(tool);
    if (row?.kind === 'failure') return row.failure.code === 'RUN_CANCELED' ? words.stopped : words.runFailed;
    if (row?.kind === 'answer' && !row.isStreaming) return words.answered(row.text);
    return row?.kind === 'memory' ? row.text : '';
  }
}
