import { FileInfo } from '@kith/protocol';
import { useQuery } from '@tanstack/react-query';
import { api, segment } from '../../api/index.ts';
import { Button, Icon } from '../../design/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import type { Row } from '../thread/index.ts';
import { chatWords } from '../words.ts';

export interface UserMessageProps {
  row: Row & { kind: 'user' };
  onRetry: () => void;
  onDiscard: () => void;
  onWithdraw: () => void;
}

export function UserMessage({ row, onRetry, onDiscard, onWithdraw }: UserMessageProps) {
  const words = useWords(chatWords);
  const format = useFormat();
  return (
    <article aria-label={words.you} className="flex flex-col items-end gap-1">
      {row.fileIds.length > 0 && (
        <ul className="flex max-w-full flex-wrap justify-end gap-1.5">
          {row.fileIds.map((id) => (
            <FileChip key={id} fileId={id} />
          ))}
        </ul>
      )}
      <p
        title={format.dateTime(row.at)}
        className={`max-w-[85%] rounded-2xl rounded-ee-md bg-accent-wash px-4 py-2 break-words whitespace-pre-wrap ${row.delivery === 'sent' ? '' : 'opacity-75'}`}
      >
        {row.text}
      </p>
      {row.delivery === 'sending' && <p className="text-sm text-faint">{words.sending}</p>}
      {row.delivery === 'queued' && (
        <p className="flex items-center gap-2 text-sm text-faint">
          <Icon name="clock" />
          {words.queued}
          <Button look="quiet" size="small" onClick={onWithdraw}>
            {words.withdraw}
          </Button>
        </p>
      )}
      {row.delivery === 'failed' && (
        <div role="alert" className="flex flex-wrap items-center justify-end gap-2 text-sm text-bad">
          <span>
            {words.unsent}
            {row.error && ` (${row.error})`}
          </span>
          <Button size="small" onClick={onRetry}>
            {words.retry}
          </Button>
          <Button look="quiet" size="small" onClick={onDiscard}>
            {words.discard}
          </Button>
        </div>
      )}
    </article>
  );
}

function FileChip({ fileId }: { fileId: string }) {
  const { data } = useQuery({
    queryKey: ['files', fileId],
    queryFn: ({ signal }) => api.get(`api/v1/files/${segment(fileId)}`, FileInfo, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <li className="flex max-w-60 items-center gap-1.5 rounded-control border border-line bg-surface px-2.5 py-1 text-sm">
      <Icon name="file" className="text-faint" />
      <span className="truncate">{data?.name ?? '…'}</span>
    </li>
  );
}
