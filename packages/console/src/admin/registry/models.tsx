import { ModelCategory, ModelInput, type ModelView } from '@kith/protocol';
import { useState } from 'react';
import { Badge, Button, Checkbox, Field, Input, Select, Table, toast } from '../../design/index.ts';
import { useForm } from '../../forms/index.ts';
import { useWords } from '../../language/index.ts';
import { useInfraChanges } from '../infra-data.ts';
import { adminWords } from '../words.ts';
import { FormDialog } from './form-dialog.tsx';
import { InvokeDialog } from './invoke-dialog.tsx';
import { RowDeeds } from './row-deeds.tsx';
import { Section } from './section.tsx';
import { registryWords } from './words.ts';

export function Models({ vendorId, models }: { vendorId: string; models: readonly ModelView[] }) {
  const words = useWords(registryWords);
  const { deeds, enabled, disabled } = useWords(adminWords);
  const [isAdding, setAdding] = useState(false);
  const [tried, setTried] = useState<ModelView>();
  return (
    <Section title={words.models} addLabel={words.addModel} isEmpty={models.length === 0} onAdd={() => setAdding(true)}>
      <Table<ModelView>
        caption={words.models}
        rows={models}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'name',
            title: words.modelName,
            className: 'min-w-40',
            cell: (row) => <code className="text-sm wrap-anywhere">{row.name}</code>,
          },
          {
            key: 'category',
            title: words.category,
            cell: (row) => words.categoryNames[row.category],
            className: 'whitespace-nowrap',
          },
          {
            key: 'capabilities',
            title: words.capabilities,
            className: 'min-w-40',
            cell: ({ capabilities }) => (
              <span className="text-sm text-soft">
                {Object.entries(capabilities)
                  .filter(([, value]) => value !== false)
                  .map(([name, value]) => (value === true ? name : `${name}: ${String(value)}`))
                  .join(', ')}
              </span>
            ),
          },
          {
            key: 'state',
            title: words.circuit,
            cell: (row) => <Badge tone={row.enabled ? 'good' : 'plain'}>{row.enabled ? enabled : disabled}</Badge>,
          },
          {
            key: 'deeds',
            title: <span className="sr-only">{deeds}</span>,
            cell: (row) => (
              <span className="-my-1 flex justify-end">
                <Button
                  size="small"
                  look="quiet"
                  aria-label={`${words.call}: ${row.name}`}
                  onClick={() => setTried(row)}
                >
                  {words.call}
                </Button>
                <RowDeeds resource="models" id={row.id} name={row.name} enabled={row.enabled} />
              </span>
            ),
          },
        ]}
      />
      {isAdding && <ModelDialog vendorId={vendorId} onClose={() => setAdding(false)} />}
      {tried && <InvokeDialog model={tried} onClose={() => setTried(undefined)} />}
    </Section>
  );
}

function ModelDialog({ vendorId, onClose }: { vendorId: string; onClose: () => void }) {
  const words = useWords(registryWords);
  const { saved } = useWords(adminWords);
  const { create } = useInfraChanges();
  const form = useForm({
    initial: { name: '', category: 'text' as ModelCategory, json_schema: false, tools: true },
    check: ({ name, category, json_schema, tools }) =>
      ModelInput.safeParse({
        vendor_id: vendorId,
        name,
        category,
        capabilities: category === 'embedding' ? {} : { json_object: true, json_schema, tools },
      }),
    async save(body) {
      await create.mutateAsync({ resource: 'models', body });
      toast(saved, 'good');
      onClose();
    },
  });
  return (
    <FormDialog title={words.addModel} form={form} onClose={onClose}>
      <Field label={words.modelName} hint={words.firstModelHint} error={form.error('name')}>
        <Input
          spellCheck={false}
          value={form.draft.name}
          onChange={(event) => form.set({ name: event.target.value })}
        />
      </Field>
      <Field label={words.category}>
        <Select
          value={form.draft.category}
          onChange={(event) => form.set({ category: ModelCategory.safeParse(event.target.value).data ?? 'text' })}
        >
          {ModelCategory.options.map((category) => (
            <option key={category} value={category}>
              {words.categoryNames[category]}
            </option>
          ))}
        </Select>
      </Field>
      <Checkbox
        label={words.tools}
        checked={form.draft.tools}
        onChange={(event) => form.set({ tools: event.target.checked })}
      />
      <Checkbox
        label={words.jsonSchema}
        checked={form.draft.json_schema}
        onChange={(event) => form.set({ json_schema: event.target.checked })}
      />
    </FormDialog>
  );
}
