import { memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { VList, type VListHandle } from 'virtua';
import { Button, Spinner, toast } from '../../design/index.ts';
import { useWords } from '../../language/index.ts';
import type { Row, ThreadSnapshot, ThreadStore } from '../thread/index.ts';
import { chatWords } from '../words.ts';
import { Answer } from './answer.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { Activity, Failure, MemoryNote, Steps } from './small-rows.tsx';
import { ToolCard } from './tool-card.tsx';
import { UserMessage } from './user-message.tsx';

/** Closer than this to the end, the reader follows what comes. */
const NEAR = 80;

export function MessageList({ store, thread }: { store: ThreadStore; thread: ThreadSnapshot }) {
  const words = useWords(chatWords);
  const { rows, hasOlder, isLoadingOlder } = thread;
  const list = useRef<VListHandle>(null);
  const follows = useRef(true);
  const [isAway, setAway] = useState(false);
  const isPrepended = usePrepended(rows);
  const toEnd = () => list.current?.scrollToIndex(rows.length - 1, { align: 'end' });
  useLayoutEffect(() => {
    if (follows.current) list.current?.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [rows]);
  // A message of one's own is always looked at.
  const lastUser = rows.findLast((row) => row.kind === 'user')?.key;
  useEffect(() => {
    if (lastUser !== undefined) follows.current = true;
  }, [lastUser]);
  const onScroll = (offset: number) => {
    const handle = list.current;
    if (!handle) return;
    follows.current = offset + handle.viewportSize >= handle.scrollSize - NEAR;
    setAway(!follows.current);
    if (offset < 400 && hasOlder) store.loadOlder();
  };
  const lastAnswer = rows.findLast((row) => row.kind === 'answer' || row.kind === 'user');
  return (
    <div className="relative min-h-0 flex-1">
      <VList
        ref={list}
        tabIndex={0}
        aria-label={words.conversation}
        role="region"
        shift={isPrepended}
        bufferSize={600}
        onScroll={onScroll}
        onResize={() => {
          if (follows.current) toEnd();
        }}
        className="h-full"
      >
        {rows.map((row, index) => (
          <Place key={row.key} isFirst={index === 0} isLast={index === rows.length - 1} kind={row.kind}>
            {index === 0 && isLoadingOlder && <Spinner className="mx-auto mb-4 text-faint" />}
            <RowView row={row} store={store} isLatest={row === lastAnswer} />
          </Place>
        ))}
      </VList>
      {isAway && (
        <Button
          size="small"
          icon="arrowDown"
          className="absolute! bottom-3 left-1/2 -translate-x-1/2 rounded-full! shadow-float"
          onClick={() => {
            follows.current = true;
            toEnd();
          }}
        >
          {words.toLatest}
        </Button>
      )}
    </div>
  );
}

/** Whether this change put rows before the first one: the reader's place is then kept from the end. */
function usePrepended(rows: readonly Row[]): boolean {
  const before = useRef<readonly Row[]>(rows);
  const first = before.current[0]?.key;
  const isPrepended = first !== undefined && rows[0]?.key !== first && rows.some((row) => row.key === first);
  useEffect(() => {
    before.current = rows;
  }, [rows]);
  return isPrepended;
}

interface PlaceProps {
  isFirst: boolean;
  isLast: boolean;
  kind: Row['kind'];
  children: ReactNode;
}

/** The measure of the text, and the room around a row. */
const Place = ({ isFirst, isLast, kind, children }: PlaceProps) => (
  <div
    className={`mx-auto w-full max-w-3xl px-4 ${isFirst ? 'pt-6' : kind === 'user' ? 'pt-8' : kind === 'steps' || kind === 'memory' ? 'pt-3' : 'pt-4'} ${isLast ? 'pb-8' : ''}`}
  >
    {children}
  </div>
);

interface RowViewProps {
  row: Row;
  store: ThreadStore;
  /** The last thing said: only its suggestions are still of use. */
  isLatest: boolean;
}

const RowView = memo(function RowView({ row, store, isLatest }: RowViewProps) {
  const say = (text: string) => store.send({ text, fileIds: [] });
  switch (row.kind) {
    case 'user': {
      const runId = row.runId ?? '';
      const withdraw = () => {
        store
          .stop(runId)
          .catch((error: unknown) => toast(error instanceof Error ? error.message : String(error), 'bad'));
      };
      return (
        <UserMessage
          row={row}
          onRetry={() => store.resend(runId)}
          onDiscard={() => store.discard(runId)}
          onWithdraw={withdraw}
        />
      );
    }
    case 'steps':
      return <Steps tools={row.tools} />;
    case 'card':
      return <ToolCard toolName={row.toolName} schema={row.schema} onSay={say} />;
    case 'answer':
      return (
        <Answer
          threadId={store.threadId}
          runId={row.runId}
          text={row.text}
          isStreaming={row.isStreaming}
          isPartial={row.isPartial}
          at={row.at}
          suggestions={isLatest ? row.suggestions : []}
          onSay={say}
        />
      );
    case 'memory':
      return <MemoryNote text={row.text} />;
    case 'approval':
      return (
        <ApprovalCard
          approval={row.approval}
          onDecide={(decision) => store.decide(row.runId, row.approval.toolCallId, decision)}
        />
      );
    case 'failure':
      return <Failure threadId={store.threadId} runId={row.runId} failure={row.failure} />;
    case 'activity':
      return <Activity step={row.step} tool={row.tool} />;
  }
});
