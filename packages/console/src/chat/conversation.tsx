import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { useStatus } from '../api/index.ts';
import { PageHeader, useShortcut } from '../app/index.ts';
import { Button, EmptyState, Icon, LoadFailure, Loading, toast } from '../design/index.ts';
import { Popover } from '../design/menu.tsx';
import { useFormat, useWords } from '../language/index.ts';
import { beginTyping, Composer } from './composer/composer.tsx';
import { Announcer } from './messages/announcer.tsx';
import { UsageTable } from './messages/answer-details.tsx';
import { MessageList } from './messages/message-list.tsx';
import { useSession, useSessionUsage } from './sessions/sessions-data.ts';
import { type ThreadSnapshot, type ThreadStore, threadOf, useThread, useThreadChanges } from './thread/index.ts';
import { chatWords } from './words.ts';

export function Conversation({ threadId }: { threadId: string }) {
  const words = useWords(chatWords);
  const onChange = useThreadChanges();
  const store = useMemo(() => threadOf(threadId, { isNew: false, onChange }), [threadId, onChange]);
  const thread = useThread(store);
  const field = useRef<HTMLTextAreaElement>(null);
  const isKnown = thread.phase === 'ready';
  const session = useSession(threadId, isKnown).data;
  const { answering } = thread;
  const note = useStatus().data?.simulator ? words.simulated : undefined;
  const stop = () => {
    if (!answering) return;
    store.stop(answering.runId).catch((error: unknown) => toast(String(error), 'bad'));
  };
  useShortcut('/', words.shortcuts.compose, () => field.current?.focus());
  useShortcut('escape', words.shortcuts.stop, stop, answering !== undefined);
  useEffect(() => beginTyping(field.current), []);
  if (thread.phase === 'missing') return <Missing />;
  return (
    <>
      <PageHeader title={session?.title ?? words.newChat} actions={isKnown && <SessionTotal threadId={threadId} />} />
      <Body store={store} thread={thread} />
      {!thread.isConnected && (
        <p role="status" className="flex items-center justify-center gap-2 pb-2 text-sm text-warn">
          <Icon name="warning" />
          {words.offline}
        </p>
      )}
      <Composer draftOf={threadId} field={field} onSend={store.send} onStop={answering && stop} note={note} />
      <Announcer rows={thread.rows} />
    </>
  );
}

function Body({ store, thread }: { store: ThreadStore; thread: ThreadSnapshot }) {
  if (thread.rows.length > 0) return <MessageList store={store} thread={thread} />;
  return (
    <div className="mx-auto w-full max-w-3xl flex-1 px-4 py-6">
      {thread.phase === 'failed' ? (
        <LoadFailure error={thread.error} onRetry={() => location.reload()} />
      ) : (
        thread.phase === 'loading' && <Loading lines={5} />
      )}
    </div>
  );
}

function Missing() {
  const words = useWords(chatWords);
  return (
    <>
      <PageHeader title={words.missing} />
      <EmptyState
        icon="chat"
        title={words.missing}
        action={
          <Link to="/" className="text-accent underline underline-offset-4">
            {words.newChat}
          </Link>
        }
      >
        {words.missingHint}
      </EmptyState>
    </>
  );
}

/** What this chat has cost so far; the rest on demand. */
function SessionTotal({ threadId }: { threadId: string }) {
  const words = useWords(chatWords);
  const format = useFormat();
  const usage = useSessionUsage(threadId, true).data;
  if (!usage || usage.model_calls === 0) return null;
  return (
    <Popover
      label={words.total}
      align="end"
      className="w-72"
      trigger={
        <Button look="quiet" size="small" className="tabular-nums">
          <span className="sr-only">{words.total}: </span>
          {format.money(usage.cost)}
          <span className="ms-1 font-normal text-faint max-wide:hidden">{format.short(usage.total_tokens)} tokens</span>
        </Button>
      }
    >
      <h2 className="mb-2 font-medium">{words.total}</h2>
      <UsageTable usage={usage} />
    </Popover>
  );
}
