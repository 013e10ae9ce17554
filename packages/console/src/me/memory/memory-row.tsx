import type { StoredMemory } from '@kith/protocol';
import { Link } from '@tanstack/react-router';
import { Badge, classes, IconButton } from '../../design/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import { memoryWords } from './words.ts';

export interface MemoryRowProps {
  memory: StoredMemory;
  onCorrect: () => void;
  onForget: () => void;
}

export function MemoryRow({ memory, onCorrect, onForget }: MemoryRowProps) {
  const words = useWords(memoryWords);
  const format = useFormat();
  const { source, kind, content } = memory;
  const isOld = memory.valid_to !== null;
  const said =
    kind === 'turn' ? content.replace(/^User: /, words.me).replace(/\nAssistant: /, `\n${words.assistant}`) : content;
  return (
    <li className="flex gap-3 rounded-card border border-line bg-surface px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className={classes('line-clamp-5 wrap-anywhere whitespace-pre-line', isOld && 'text-faint line-through')}>
          {said}
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-faint">
          <Badge tone={kind === 'turn' ? 'plain' : 'accent'}>{words.kinds[kind]}</Badge>
          {isOld && <Badge tone="warn">{words.superseded}</Badge>}
          <span>{format.dateTime(memory.valid_from)}</span>
          {source.by === 'user' && <span>{words.byHand}</span>}
          {source.thread_id && (
            <Link
              to="/chat/$threadId"
              params={{ threadId: source.thread_id }}
              className="text-accent underline underline-offset-4"
            >
              {words.source}
            </Link>
          )}
          {memory.uses > 0 && <span>{words.used(memory.uses)}</span>}
        </p>
      </div>
      <div className="flex shrink-0 gap-1 self-start">
        {kind !== 'turn' && !isOld && <IconButton icon="edit" label={words.correct} onClick={onCorrect} />}
        <IconButton icon="trash" label={words.forget} onClick={onForget} />
      </div>
    </li>
  );
}
