import type { ToolOutput, UiBlock, UiSchema } from '@kith/protocol';

/** What a renderer may be asked to show at most: a card is a glance, not a report. */
const MOST_ROWS = 100;
const MOST_BLOCKS = 50;

/** The card of a tool result: its hints, bounded, versioned, and with links that lead nowhere dangerous. None without hints. */
export function compileUiSchema(output: Pick<ToolOutput, 'status' | 'ui_hints'>): UiSchema | undefined {
  const hints = output.ui_hints;
  if (!hints) return undefined;
  return {
    version: 1,
    kind: hints.kind,
    title: hints.title,
    status: output.status,
    blocks: hints.blocks.filter(isSafe).slice(0, MOST_BLOCKS).map(bounded),
    actions: hints.actions.filter(({ url }) => url === undefined || isSafeLink(url)),
  };
}

const bounded = (block: UiBlock): UiBlock =>
  block.type === 'table' ? { ...block, rows: block.rows.slice(0, MOST_ROWS) } : block;
const isSafe = (block: UiBlock): boolean => !('url' in block) || isSafeLink(block.url);

/** On the web, or on this server. Never `javascript:`, `data:` or a file. */
function isSafeLink(url: string): boolean {
  if (/^\/(?!\/)/.test(url)) return true;
  const scheme = URL.parse(url)?.protocol;
  return scheme === 'https:' || scheme === 'http:';
}
