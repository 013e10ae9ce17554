import { InvokeInput, type InvokeResult, type ModelView } from '@kith/protocol';
import { useState } from 'react';
import { Field, JsonText, Notice, Textarea } from '../../design/index.ts';
import { useForm } from '../../forms/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import { useInfraChanges } from '../infra-data.ts';
import { FormDialog } from './form-dialog.tsx';
import { registryWords } from './words.ts';

/** One real call, past the graph: does the vendor answer, how fast, and at what cost. */
export function InvokeDialog({ model, onClose }: { model: ModelView; onClose: () => void }) {
  const words = useWords(registryWords);
  const { invoke } = useInfraChanges();
  const [result, setResult] = useState<InvokeResult>();
  const form = useForm({
    initial: { prompt: words.promptDefault },
    check: ({ prompt }) => InvokeInput.safeParse(model.category === 'embedding' ? { input: prompt } : { prompt }),
    async save(body) {
      setResult(undefined);
      setResult(await invoke.mutateAsync({ id: model.id, body }));
    },
  });
  return (
    <FormDialog
      title={words.callTitle(model.id)}
      description={words.callHint}
      form={form}
      onClose={onClose}
      action={words.send}
    >
      <Field label={words.prompt} error={form.error('prompt') ?? form.error('input')}>
        <Textarea rows={2} value={form.draft.prompt} onChange={(event) => form.set({ prompt: event.target.value })} />
      </Field>
      <div aria-live="polite">{result && <Outcome result={result} />}</div>
    </FormDialog>
  );
}

function Outcome({ result }: { result: InvokeResult }) {
  const words = useWords(registryWords);
  const format = useFormat();
  const { call, text, vectors } = result;
  const figures = [
    call.latency_ms === null ? undefined : format.duration(call.latency_ms),
    words.tokens(format.number(call.input_tokens ?? 0), format.number(call.output_tokens ?? 0)),
    format.money(call.cost),
  ];
  return (
    <div className="grid gap-2">
      <p className="text-sm text-faint">{words.answer}</p>
      {call.error && <Notice tone="bad" icon="error" title={call.error} />}
      {text && <p className="rounded-control bg-sunken px-3 py-2 wrap-anywhere whitespace-pre-line">{text}</p>}
      {vectors && <p>{words.vectors(vectors.length, vectors[0]?.length ?? 0)}</p>}
      {!text && !vectors && <JsonText label={words.answer} value={result} />}
      <p className="text-sm text-soft tabular-nums">{figures.filter(Boolean).join(' · ')}</p>
    </div>
  );
}
