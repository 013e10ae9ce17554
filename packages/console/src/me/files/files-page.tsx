import { FILE_ERRORS, FileInfo, FilePage } from '@kith/protocol';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, segment, send } from '../../api/index.ts';
import {
  Badge,
  Button,
  Card,
  ConfirmDialog,
  EmptyState,
  IconButton,
  LoadFailure,
  Loading,
  Table,
  type Tone,
  toast,
} from '../../design/index.ts';
import { useErrorText } from '../../forms/index.ts';
import { useFormat, useLanguage, useWords } from '../../language/index.ts';
import { saveAs } from '../data/save-as.ts';
import { MeFrame } from '../me-frame.tsx';
import { meWords } from '../words.ts';
import { fileWords } from './words.ts';

const TONES = { stored: 'plain', processing: 'accent', ready: 'good', failed: 'bad' } as const satisfies Record<
  string,
  Tone
>;
const one = (id: string) => `api/v1/files/${segment(id)}`;

export function FilesPage() {
  const words = useWords(fileWords);
  const { more } = useWords(meWords);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['files'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api.get('api/v1/files', FilePage, { query: { cursor: pageParam, limit: 50 }, signal }),
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ files }) => files.some(({ status }) => status === 'processing')) ? 2000 : false,
  });
  const files = data?.pages.flatMap((page) => page.files) ?? [];
  return (
    <MeFrame page="files" actions={<Upload />}>
      <Card>
        {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Loading lines={4} />}
        {data && files.length === 0 && (
          <EmptyState icon="file" title={words.empty}>
            {words.emptyHint}
          </EmptyState>
        )}
        {files.length > 0 && <Files files={files} />}
      </Card>
      {hasNextPage && (
        <Button className="justify-self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {more}
        </Button>
      )}
    </MeFrame>
  );
}

function Upload() {
  const words = useWords(fileWords);
  const say = useErrorText();
  const queries = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const upload = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData();
      form.set('file', file);
      return api.post('api/v1/files', FileInfo, { form });
    },
    onSuccess: () => toast(words.uploaded, 'good'),
    onError: (error) => toast(say(error), 'bad'),
    onSettled: () => queries.invalidateQueries({ queryKey: ['files'] }),
  });
  return (
    <>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={words.upload}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) upload.mutate(file);
          event.target.value = '';
        }}
      />
      <Button look="primary" size="small" icon="add" busy={upload.isPending} onClick={() => field.current?.click()}>
        {words.upload}
      </Button>
    </>
  );
}

function Files({ files }: { files: readonly FileInfo[] }) {
  const words = useWords(fileWords);
  const { remove: removeWord, removed } = useWords(meWords);
  const say = useErrorText();
  const format = useFormat();
  const queries = useQueryClient();
  const [gone, setGone] = useState<FileInfo>();
  const download = async (file: FileInfo) => {
    try {
      saveAs(file.name, await (await send('GET', `${one(file.id)}/content`)).blob());
    } catch (error) {
      toast(say(error), 'bad');
    }
  };
  const remove = useMutation({
    mutationFn: (id: string) => api.delete(one(id)),
    onSuccess: () => toast(removed, 'good'),
    onError: (error) => toast(say(error), 'bad'),
    onSettled: () => {
      setGone(undefined);
      return queries.invalidateQueries({ queryKey: ['files'] });
    },
  });
  return (
    <>
      <Table<FileInfo>
        caption={words.list}
        rows={files}
        rowKey={(file) => file.id}
        columns={[
          {
            key: 'name',
            title: words.name,
            className: 'min-w-40',
            cell: (file) => <span className="font-medium wrap-anywhere">{file.name}</span>,
          },
          { key: 'kind', title: words.kind, cell: (file) => <Kind file={file} />, className: 'whitespace-nowrap' },
          {
            key: 'size',
            title: words.size,
            numeric: true,
            cell: (file) => format.bytes(file.size),
            className: 'whitespace-nowrap',
          },
          { key: 'status', title: words.status, cell: (file) => <Status file={file} /> },
          {
            key: 'added',
            title: words.added,
            cell: (file) => format.dateTime(file.created_at),
            className: 'whitespace-nowrap',
          },
          {
            key: 'deeds',
            title: <span className="sr-only">{words.deeds}</span>,
            cell: (file) => (
              <span className="-my-1 flex justify-end gap-1">
                <IconButton
                  icon="download"
                  label={`${words.download}: ${file.name}`}
                  onClick={() => void download(file)}
                />
                <IconButton icon="trash" label={`${removeWord}: ${file.name}`} onClick={() => setGone(file)} />
              </span>
            ),
          },
        ]}
      />
      <ConfirmDialog
        open={gone !== undefined}
        onClose={() => setGone(undefined)}
        title={words.removeTitle(gone?.name ?? '')}
        description={words.removeHint}
        action={removeWord}
        busy={remove.isPending}
        onConfirm={() => gone && remove.mutate(gone.id)}
      />
    </>
  );
}

function Kind({ file: { kind, summary } }: { file: FileInfo }) {
  const words = useWords(fileWords);
  const extent =
    summary?.kind === 'document'
      ? words.pages(summary.pages)
      : summary?.kind === 'table'
        ? words.sheets(summary.sheets.length)
        : undefined;
  return (
    <>
      {words.kinds[kind]}
      {extent && <span className="text-faint"> · {extent}</span>}
    </>
  );
}

function Status({ file: { status, error } }: { file: FileInfo }) {
  const words = useWords(fileWords);
  const language = useLanguage();
  return (
    <>
      <Badge tone={TONES[status]}>{words.states[status]}</Badge>
      {error && <span className="block text-sm text-bad">{FILE_ERRORS[error.code][language]}</span>}
    </>
  );
}
