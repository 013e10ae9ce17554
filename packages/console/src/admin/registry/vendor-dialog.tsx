import { EndpointInput, KeyInput, ModelInput, VendorAdapter, VendorInput } from '@kith/protocol';
import { useRef } from 'react';
import { Field, Input, Select, toast } from '../../design/index.ts';
import { useForm } from '../../forms/index.ts';
import { useWords } from '../../language/index.ts';
import { type Resource, useInfraChanges } from '../infra-data.ts';
import { FormDialog } from './form-dialog.tsx';
import { registryWords } from './words.ts';

const PRESETS = {
  deepseek: {
    id: 'deepseek',
    name: 'DeepSeek',
    adapter: 'deepseek',
    base_url: 'https://api.deepseek.com',
    model: 'deepseek-flash',
  },
  dashscope: {
    id: 'dashscope',
    name: 'DashScope',
    adapter: 'alibaba',
    base_url: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
    model: 'qwen3.7-plus',
  },
  openai: {
    id: 'openai',
    name: 'OpenAI',
    adapter: 'openai-compatible',
    base_url: 'https://api.openai.com/v1',
    model: 'gpt-5-mini',
  },
  other: { id: '', name: '', adapter: 'openai-compatible', base_url: '', model: '' },
} as const satisfies Record<string, Omit<Draft, 'preset' | 'secret'>>;
type Preset = keyof typeof PRESETS;
const NAMES: readonly Preset[] = ['deepseek', 'dashscope', 'openai', 'other'];

interface Draft {
  preset: Preset;
  id: string;
  name: string;
  adapter: VendorAdapter;
  base_url: string;
  secret: string;
  model: string;
}

type Part = { resource: Resource; body: object };

/** A vendor is four rows: whatever is wrong with any of them is told at its field, before the first is made. */
function check(draft: Draft) {
  const vendor = VendorInput.safeParse({
    id: draft.id.trim(),
    ...(draft.name.trim() ? { name: draft.name } : {}),
    adapter: draft.adapter,
  });
  const vendor_id = vendor.data?.id ?? 'x';
  const endpoint = EndpointInput.safeParse({ vendor_id, base_url: draft.base_url.trim() });
  const key = KeyInput.safeParse({ vendor_id, label: 'default', secret: draft.secret.trim() });
  const model = ModelInput.safeParse({
    vendor_id,
    name: draft.model,
    capabilities: {
      tools: true,
      json_object: true,
      ...(draft.adapter === 'openai-compatible' ? { json_schema: true } : {}),
    },
  });
  if (vendor.success && endpoint.success && key.success && model.success) {
    const data: Part[] = [
      { resource: 'vendors', body: vendor.data },
      { resource: 'endpoints', body: endpoint.data },
      { resource: 'keys', body: key.data },
      { resource: 'models', body: model.data },
    ];
    return { success: true, data } as const;
  }
  const issues = [
    ...(vendor.error?.issues ?? []),
    ...(endpoint.error?.issues ?? []),
    ...(key.error?.issues ?? []),
    ...(model.error?.issues.map((issue) => ({ ...issue, path: ['model'] })) ?? []),
  ];
  return { success: false, error: { issues } } as const;
}

export function VendorDialog({ onClose }: { onClose: () => void }) {
  const words = useWords(registryWords);
  const { create } = useInfraChanges();
  // What was made before something was refused is not made again.
  const made = useRef(new Set<Resource>());
  const form = useForm({
    initial: { preset: 'deepseek', secret: '', ...PRESETS.deepseek } as Draft,
    check,
    async save(parts) {
      for (const part of parts) {
        if (made.current.has(part.resource)) continue;
        await create.mutateAsync(part);
        made.current.add(part.resource);
      }
      toast(words.added, 'good');
      onClose();
    },
  });
  const field = (name: 'id' | 'name' | 'base_url' | 'secret' | 'model') => ({
    value: form.draft[name],
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => form.set({ [name]: event.target.value }),
  });
  return (
    <FormDialog title={words.addVendor} form={form} onClose={onClose}>
      <Field label={words.preset}>
        <Select
          value={form.draft.preset}
          onChange={(event) => {
            const preset = NAMES.find((name) => name === event.target.value) ?? 'other';
            form.set({ preset, ...PRESETS[preset] });
          }}
        >
          {NAMES.map((name) => (
            <option key={name} value={name}>
              {words.presets[name]}
            </option>
          ))}
        </Select>
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label={words.id} hint={words.idHint} error={form.error('id')}>
          <Input {...field('id')} />
        </Field>
        <Field label={words.name} error={form.error('name')}>
          <Input {...field('name')} />
        </Field>
      </div>
      <Field label={words.adapter}>
        <Select
          value={form.draft.adapter}
          onChange={(event) =>
            form.set({ adapter: VendorAdapter.safeParse(event.target.value).data ?? 'openai-compatible' })
          }
        >
          {VendorAdapter.options.map((adapter) => (
            <option key={adapter} value={adapter}>
              {adapter}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={words.baseUrl} error={form.error('base_url')}>
        <Input type="url" {...field('base_url')} />
      </Field>
      <Field label={words.secret} hint={words.secretHint} error={form.error('secret')}>
        <Input type="password" {...field('secret')} autoComplete="new-password" />
      </Field>
      <Field label={words.firstModel} hint={words.firstModelHint} error={form.error('model')}>
        <Input {...field('model')} />
      </Field>
    </FormDialog>
  );
}
