import { type StoredMemory, StoredMemoryKind } from '@kith/protocol';
import { useDeferredValue, useState } from 'react';
import { useSettings } from '../../api/index.ts';
import {
  Button,
  Card,
  Checkbox,
  ConfirmDialog,
  EmptyState,
  Field,
  Input,
  LoadFailure,
  Loading,
  Notice,
  Select,
  toast,
} from '../../design/index.ts';
import { useErrorText } from '../../forms/index.ts';
import { useWords } from '../../language/index.ts';
import { MeFrame } from '../me-frame.tsx';
import { meWords } from '../words.ts';
import { type MemoryFilter, useMemories, useMemoryChanges, useMemorySwitch } from './memory-data.ts';
import { MemoryDialog } from './memory-dialog.tsx';
import { MemoryRow } from './memory-row.tsx';
import { memoryWords } from './words.ts';

export function MemoryPage() {
  const words = useWords(memoryWords);
  const [filter, setFilter] = useState<MemoryFilter>({ search: '', kind: undefined, withOld: false });
  const [isAdding, setAdding] = useState(false);
  return (
    <MeFrame
      page="memory"
      actions={
        <Button look="primary" size="small" icon="add" onClick={() => setAdding(true)}>
          {words.add}
        </Button>
      }
    >
      <Switch />
      <Filters filter={filter} onChange={setFilter} />
      <Memories filter={useDeferredValue(filter)} />
      {isAdding && <MemoryDialog memory={undefined} onClose={() => setAdding(false)} />}
    </MeFrame>
  );
}

function Switch() {
  const words = useWords(memoryWords);
  const say = useErrorText();
  const isOn = useSettings().data?.privacy.memory_enabled ?? true;
  const change = useMemorySwitch();
  return (
    <div className="grid gap-3">
      <Checkbox
        role="switch"
        label={words.switch}
        checked={change.isPending ? change.variables : isOn}
        onChange={(event) => change.mutate(event.target.checked, { onError: (error) => toast(say(error), 'bad') })}
      />
      {!isOn && <Notice tone="warn">{words.off}</Notice>}
    </div>
  );
}

function Filters({ filter, onChange }: { filter: MemoryFilter; onChange: (filter: MemoryFilter) => void }) {
  const words = useWords(memoryWords);
  const { search } = useWords(meWords);
  const change = (part: Partial<MemoryFilter>) => onChange({ ...filter, ...part });
  return (
    <div className="grid items-end gap-3 sm:grid-cols-[1fr_10rem_auto]">
      <Field label={search}>
        <Input
          type="search"
          placeholder={words.searchHint}
          value={filter.search}
          onChange={(event) => change({ search: event.target.value })}
        />
      </Field>
      <Field label={words.kind}>
        <Select
          value={filter.kind ?? ''}
          onChange={(event) => change({ kind: StoredMemoryKind.safeParse(event.target.value).data })}
        >
          <option value="">{words.everything}</option>
          {StoredMemoryKind.options.map((kind) => (
            <option key={kind} value={kind}>
              {words.kinds[kind]}
            </option>
          ))}
        </Select>
      </Field>
      <Checkbox
        className="sm:pb-1.5"
        label={words.withOld}
        checked={filter.withOld}
        onChange={(event) => change({ withOld: event.target.checked })}
      />
    </div>
  );
}

function Memories({ filter }: { filter: MemoryFilter }) {
  const [corrected, setCorrected] = useState<StoredMemory>();
  const [forgotten, setForgotten] = useState<StoredMemory>();
  return (
    <>
      <MemoryList filter={filter} onCorrect={setCorrected} onForget={setForgotten} />
      {corrected && <MemoryDialog memory={corrected} onClose={() => setCorrected(undefined)} />}
      <Forget memory={forgotten} onClose={() => setForgotten(undefined)} />
    </>
  );
}

interface MemoryListProps {
  filter: MemoryFilter;
  onCorrect: (memory: StoredMemory) => void;
  onForget: (memory: StoredMemory) => void;
}

function MemoryList({ filter, onCorrect, onForget }: MemoryListProps) {
  const words = useWords(memoryWords);
  const { more } = useWords(meWords);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useMemories(filter);
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={4} />;
  const memories = data.pages.flatMap((page) => page.memories);
  if (memories.length === 0) {
    const isSearch = filter.search.trim() !== '' || filter.kind !== undefined;
    return (
      <Card>
        <EmptyState icon="memory" title={isSearch ? words.noneFound : words.empty}>
          {isSearch ? words.noneFoundHint : words.emptyHint}
        </EmptyState>
      </Card>
    );
  }
  return (
    <>
      <ul className="grid grid-cols-1 gap-2">
        {memories.map((memory) => (
          <MemoryRow
            key={memory.id}
            memory={memory}
            onCorrect={() => onCorrect(memory)}
            onForget={() => onForget(memory)}
          />
        ))}
      </ul>
      {hasNextPage && (
        <Button className="justify-self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {more}
        </Button>
      )}
      <ForgetAll />
    </>
  );
}

function Forget({ memory, onClose }: { memory: StoredMemory | undefined; onClose: () => void }) {
  const words = useWords(memoryWords);
  const say = useErrorText();
  const { forget } = useMemoryChanges();
  return (
    <ConfirmDialog
      open={memory !== undefined}
      onClose={onClose}
      title={words.forgetTitle}
      description={
        <>
          <span className="mb-2 block font-medium text-ink">{memory?.content}</span>
          {words.forgetHint}
        </>
      }
      action={words.forget}
      busy={forget.isPending}
      onConfirm={() => {
        if (!memory) return;
        forget.mutate(memory.id, {
          onSuccess: () => toast(words.forgotten, 'good'),
          onError: (error) => toast(say(error), 'bad'),
          onSettled: onClose,
        });
      }}
    />
  );
}

function ForgetAll() {
  const words = useWords(memoryWords);
  const say = useErrorText();
  const [open, setOpen] = useState(false);
  const { forgetAll } = useMemoryChanges();
  return (
    <div className="border-t border-line pt-4">
      <Button look="danger" size="small" icon="trash" onClick={() => setOpen(true)}>
        {words.forgetAll}
      </Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={words.forgetAllTitle}
        description={words.forgetAllHint}
        action={words.forgetAll}
        busy={forgetAll.isPending}
        onConfirm={() =>
          forgetAll.mutate(undefined, {
            onSuccess: () => toast(words.forgotten, 'good'),
            onError: (error) => toast(say(error), 'bad'),
            onSettled: () => setOpen(false),
          })
        }
      />
    </div>
  );
}
