import { MemoryInput, MemoryKind, type StoredMemory } from '@kith/protocol';
import { useId } from 'react';
import { Button, Dialog, Field, Notice, Select, Textarea, toast } from '../../design/index.ts';
import { useForm } from '../../forms/index.ts';
import { useWords } from '../../language/index.ts';
import { meWords } from '../words.ts';
import { useMemoryChanges } from './memory-data.ts';
import { memoryWords } from './words.ts';

/** Adds a memory by hand, or puts a new one in the place of one that is wrong. */
export function MemoryDialog({ memory, onClose }: { memory: StoredMemory | undefined; onClose: () => void }) {
  const words = useWords(memoryWords);
  const { save, saved, cancel } = useWords(meWords);
  const { add, correct } = useMemoryChanges();
  const id = useId();
  const form = useForm({
    initial: { content: memory?.content ?? '', kind: memory?.kind ?? 'fact' },
    check: (draft) => MemoryInput.safeParse(draft),
    async save(input) {
      await (memory ? correct.mutateAsync({ id: memory.id, ...input }) : add.mutateAsync(input));
      toast(saved, 'good');
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={memory ? words.correctTitle : words.addTitle}
      description={memory ? words.correctHint : undefined}
      footer={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" form={id} look="primary" busy={form.busy}>
            {save}
          </Button>
        </>
      }
    >
      <form id={id} className="grid gap-4" onSubmit={form.onSubmit} noValidate>
        <Field label={words.content} error={form.error('content')}>
          <Textarea
            autoFocus
            rows={3}
            value={form.draft.content}
            onChange={(event) => form.set({ content: event.target.value })}
          />
        </Field>
        <Field label={words.kind} error={form.error('kind')}>
          <Select
            value={form.draft.kind}
            onChange={(event) => form.set({ kind: MemoryKind.safeParse(event.target.value).data ?? 'fact' })}
          >
            {MemoryKind.options.map((kind) => (
              <option key={kind} value={kind}>
                {words.kinds[kind]}
              </option>
            ))}
          </Select>
        </Field>
        {form.failure && <Notice tone="bad" icon="error" title={form.failure} />}
      </form>
    </Dialog>
  );
}
