import { KeyInput, KeyPatch, KeyRotation, type KeyView } from '@kith/protocol';
import { Field, Input, toast } from '../../design/index.ts';
import { type Form, useForm } from '../../forms/index.ts';
import { useWords } from '../../language/index.ts';
import { useInfraChanges } from '../infra-data.ts';
import { adminWords } from '../words.ts';
import { FormDialog } from './form-dialog.tsx';
import { registryWords } from './words.ts';

interface Draft {
  label: string;
  secret: string;
  serves: string;
  weight: string;
  requests_per_minute: string;
  tokens_per_minute: string;
  monthly_budget: string;
}

const text = (value: number | string | null | undefined) =>
  value === null || value === undefined ? '' : String(value);
const numberOrNull = (value: string) => (value.trim() === '' ? null : Number(value));

const fieldsOf = (draft: Draft) => ({
  label: draft.label,
  serves: draft.serves
    .split(/[,，]/)
    .map((name) => name.trim())
    .filter(Boolean),
  weight: numberOrNull(draft.weight) ?? 1,
  requests_per_minute: numberOrNull(draft.requests_per_minute),
  tokens_per_minute: numberOrNull(draft.tokens_per_minute),
  monthly_budget: draft.monthly_budget.trim() || null,
});

/** A secret goes in once; what a key may spend, and on whom, can be changed later. */
export function KeyDialog({
  vendorId,
  keyView,
  onClose,
}: {
  vendorId: string;
  keyView: KeyView | undefined;
  onClose: () => void;
}) {
  const words = useWords(registryWords);
  const { saved } = useWords(adminWords);
  const { create, change } = useInfraChanges();
  const form = useForm({
    initial: {
      label: keyView?.label ?? '',
      secret: '',
      serves: keyView?.serves.join(', ') ?? '',
      weight: text(keyView?.weight ?? 1),
      requests_per_minute: text(keyView?.requests_per_minute),
      tokens_per_minute: text(keyView?.tokens_per_minute),
      monthly_budget: text(keyView?.monthly_budget),
    } as Draft,
    check: (draft) =>
      keyView
        ? KeyPatch.safeParse(fieldsOf(draft))
        : KeyInput.safeParse({ vendor_id: vendorId, secret: draft.secret.trim(), ...fieldsOf(draft) }),
    async save(body: object) {
      await (keyView
        ? change.mutateAsync({ resource: 'keys', id: keyView.id, body })
        : create.mutateAsync({ resource: 'keys', body }));
      toast(saved, 'good');
      onClose();
    },
  });
  return (
    <FormDialog title={keyView ? words.editKey : words.addKey} form={form} onClose={onClose}>
      <KeyFields form={form} isNew={keyView === undefined} />
    </FormDialog>
  );
}

function KeyFields({ form, isNew }: { form: Form<Draft>; isNew: boolean }) {
  const words = useWords(registryWords);
  const field = (name: keyof Draft) => ({
    value: form.draft[name],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => form.set({ [name]: event.target.value }),
  });
  return (
    <>
      <Field label={words.label} error={form.error('label')}>
        <Input {...field('label')} />
      </Field>
      {isNew && (
        <Field label={words.secret} hint={words.secretHint} error={form.error('secret')}>
          <Input type="password" {...field('secret')} autoComplete="new-password" />
        </Field>
      )}
      <Field label={words.serves} hint={words.servesHint} error={form.error('serves')}>
        <Input {...field('serves')} />
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label={words.budget} hint={words.budgetHint} error={form.error('monthly_budget')}>
          <Input inputMode="decimal" {...field('monthly_budget')} />
        </Field>
        <Field label={words.weight} error={form.error('weight')}>
          <Input type="number" min={0} {...field('weight')} />
        </Field>
        <Field label={words.rpm} error={form.error('requests_per_minute')}>
          <Input type="number" min={1} placeholder={words.unlimited} {...field('requests_per_minute')} />
        </Field>
        <Field label={words.tpm} error={form.error('tokens_per_minute')}>
          <Input type="number" min={1} placeholder={words.unlimited} {...field('tokens_per_minute')} />
        </Field>
      </div>
    </>
  );
}

export function RotateDialog({ keyView, onClose }: { keyView: KeyView; onClose: () => void }) {
  const words = useWords(registryWords);
  const { saved } = useWords(adminWords);
  const { rotate } = useInfraChanges();
  const form = useForm({
    initial: { secret: '' },
    check: ({ secret }) => KeyRotation.safeParse({ secret: secret.trim() }),
    async save({ secret }) {
      await rotate.mutateAsync({ id: keyView.id, secret });
      toast(saved, 'good');
      onClose();
    },
  });
  return (
    <FormDialog title={words.rotateTitle(keyView.label)} form={form} onClose={onClose}>
      <Field label={words.newSecret} hint={words.secretHint} error={form.error('secret')}>
        <Input
          type="password"
          autoComplete="new-password"
          value={form.draft.secret}
          onChange={(event) => form.set({ secret: event.target.value })}
        />
      </Field>
    </FormDialog>
  );
}
