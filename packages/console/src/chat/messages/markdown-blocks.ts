/** A piece of Markdown that means the same by itself as in its place. */
export interface MarkdownBlock {
  /** Where it begins in the text: stays the same while more text comes. */
  start: number;
  text: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** A line that may go on with what stood before the empty line: list items, indented text, quotes, table rows. */
const CONTINUES = /^(\s|[-*+>|]|\d+[.)]\s)/;

/** Perhaps the beginning of a list's number. */
const UNDECIDED = /^\d+[.)]?$/;

/** Cuts at empty lines, but never inside code, lists, quotes or tables. */
export function blocksOf(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let start = 0;
  let fence: string | undefined;
  let wasEmpty = false;
  let offset = 0;
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    const isOpen = offset + line.length === text.length && UNDECIDED.test(line);
    if (fence === undefined && wasEmpty && line !== '' && !isOpen && !CONTINUES.test(line)) {
      blocks.push({ start, text: text.slice(start, offset) });
      start = offset;
    }
    if (fence === undefined && mark) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence)) fence = undefined;
    wasEmpty = line.trim() === '';
    offset += line.length + 1;
  }
  blocks.push({ start, text: text.slice(start) });
  return blocks;
}
