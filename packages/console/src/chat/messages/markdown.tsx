import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkCjkFriendly from 'remark-cjk-friendly';
import remarkGfm from 'remark-gfm';
import remend from 'remend';
import { blocksOf } from './markdown-blocks.ts';

/** GFM, and bold that ends before a Chinese character. HTML in the text is text. */
const plugins = [remarkGfm, remarkCjkFriendly];

const components: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ),
  // A picture from elsewhere would tell its server who reads this, and the page's policy refuses it: it is a link.
  img: ({ src, alt }) => (
    <a href={typeof src === 'string' ? src : undefined} target="_blank" rel="noreferrer noopener">
      {alt || String(src)}
    </a>
  ),
  table: ({ children }) => (
    <div className="overflow-x-auto">
      <table>{children}</table>
    </div>
  ),
};

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  );
});

/** Text being written is drawn block by block: only the last one is read anew with every piece that comes. */
export function Markdown({ text, isStreaming }: { text: string; isStreaming: boolean }) {
  if (!isStreaming) return <Block text={text} />;
  const blocks = blocksOf(text);
  return blocks.map((block, index) => (
    <Block key={block.start} text={index === blocks.length - 1 ? remend(block.text) : block.text} />
  ));
}
