import type { SuggestedAction } from '@kith/protocol';
import { lazy, Suspense } from 'react';
import { Badge, Button, classes, IconButton, toast } from '../../design/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import { chatWords } from '../words.ts';
import { AnswerDetails } from './answer-details.tsx';

const loadMarkdown = () => import('./markdown.tsx').then(({ Markdown }) => ({ default: Markdown }));
const Markdown = lazy(loadMarkdown);

/** Fetches what answers are drawn with, before the first one comes. */
export const prepareMarkdown = (): void => void loadMarkdown();

export interface AnswerProps {
  threadId: string;
  runId: string | null;
  text: string;
  isStreaming: boolean;
  isPartial: boolean;
  at: string | null;
  /** Only under the latest answer. */
  suggestions: readonly SuggestedAction[];
  onSay: (message: string) => void;
}

export function Answer({ threadId, runId, text, isStreaming, isPartial, at, suggestions, onSay }: AnswerProps) {
  const words = useWords(chatWords);
  const format = useFormat();
  return (
    <article aria-label={words.assistant} className="group">
      <div className={classes('prose', isStreaming && 'writing')}>
        <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
          <Markdown text={text} isStreaming={isStreaming} />
        </Suspense>
      </div>
      {!isStreaming && (
        <footer className="mt-1.5 -ms-2 flex items-center gap-0.5 text-faint">
          <IconButton
            icon="copy"
            label={words.copy}
            className="text-faint"
            onClick={() => void copy(text, words.copied)}
          />
          {runId && <AnswerDetails threadId={threadId} runId={runId} />}
          {at && (
            <time dateTime={at} className="px-1.5 text-sm">
              {format.time(at)}
            </time>
          )}
          {isPartial && <Badge tone="warn">{words.partial}</Badge>}
        </footer>
      )}
      {suggestions.length > 0 && (
        <ul aria-label={words.suggestions} className="mt-2 flex flex-wrap gap-2">
          {suggestions.map(({ title, message }) => (
            <li key={title + message}>
              <Button size="small" className="rounded-full! font-normal!" onClick={() => onSay(message)}>
                {title}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

/** `navigator.clipboard` needs a secure context, and a console in a LAN has none: the old way still works there. */
async function copy(text: string, done: string): Promise<void> {
  if (window.isSecureContext) await navigator.clipboard.writeText(text);
  else {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'sr-only';
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  toast(done, 'good');
}
