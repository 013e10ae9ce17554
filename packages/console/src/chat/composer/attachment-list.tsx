import { Icon, IconButton, Spinner } from '../../design/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import { chatWords } from '../words.ts';
import type { Attachment } from './use-attachments.ts';

export function AttachmentList({ list, onRemove }: { list: readonly Attachment[]; onRemove: (key: string) => void }) {
  const words = useWords(chatWords);
  const format = useFormat();
  if (list.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-1.5 px-3 pt-3">
      {list.map(({ key, name, file, error }) => (
        <li
          key={key}
          className="flex max-w-72 items-center gap-2 rounded-control border border-line bg-sunken py-0.5 ps-2.5 pe-1 text-sm"
        >
          {file ? (
            <Icon name={error ? 'warning' : 'file'} className={error ? 'text-warn' : 'text-faint'} />
          ) : (
            <Spinner className="text-faint" />
          )}
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <span className={error ? 'truncate text-warn' : 'text-faint'}>
            {error ?? (file ? format.bytes(file.size) : words.uploading)}
          </span>
          <IconButton icon="close" label={words.removeFile(name)} onClick={() => onRemove(key)} className="size-7!" />
        </li>
      ))}
    </ul>
  );
}
