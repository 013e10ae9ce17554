import { EndpointInput, type EndpointView } from '@kith/protocol';
import { useState } from 'react';
import { Badge, Field, Input, Table, toast } from '../../design/index.ts';
import { useForm } from '../../forms/index.ts';
import { useWords } from '../../language/index.ts';
import { useInfraChanges } from '../infra-data.ts';
import { adminWords } from '../words.ts';
import { FormDialog } from './form-dialog.tsx';
import { RowDeeds } from './row-deeds.tsx';
import { Section } from './section.tsx';
import { registryWords } from './words.ts';

export function Endpoints({ vendorId, endpoints }: { vendorId: string; endpoints: readonly EndpointView[] }) {
  const words = useWords(registryWords);
  const { deeds, disabled } = useWords(adminWords);
  const [isAdding, setAdding] = useState(false);
  return (
    <Section
      title={words.endpoints}
      addLabel={words.addEndpoint}
      isEmpty={endpoints.length === 0}
      onAdd={() => setAdding(true)}
    >
      <Table<EndpointView>
        caption={words.endpoints}
        rows={endpoints}
        rowKey={(row) => row.id}
        columns={[
          { key: 'label', title: words.label, cell: (row) => row.label },
          {
            key: 'url',
            title: words.baseUrl,
            className: 'min-w-56',
            cell: (row) => <code className="text-sm wrap-anywhere">{row.base_url}</code>,
          },
          {
            key: 'categories',
            title: words.categories,
            className: 'min-w-32',
            cell: ({ categories }) =>
              categories.length === 0
                ? words.allCategories
                : categories.map((name) => words.categoryNames[name]).join(' · '),
          },
          { key: 'priority', title: words.priority, numeric: true, cell: (row) => row.priority },
          {
            key: 'circuit',
            title: words.circuit,
            cell: ({ circuit, enabled }) =>
              enabled ? (
                <Badge tone={circuit === 'closed' ? 'good' : 'warn'}>{words.circuits[circuit]}</Badge>
              ) : (
                <Badge>{disabled}</Badge>
              ),
          },
          {
            key: 'deeds',
            title: <span className="sr-only">{deeds}</span>,
            cell: (row) => (
              <span className="-my-1 flex justify-end">
                <RowDeeds resource="endpoints" id={row.id} name={row.label} enabled={row.enabled} />
              </span>
            ),
          },
        ]}
      />
      {isAdding && <EndpointDialog vendorId={vendorId} onClose={() => setAdding(false)} />}
    </Section>
  );
}

function EndpointDialog({ vendorId, onClose }: { vendorId: string; onClose: () => void }) {
  const words = useWords(registryWords);
  const { saved } = useWords(adminWords);
  const { create } = useInfraChanges();
  const form = useForm({
    initial: { label: 'default', base_url: '', priority: '0' },
    check: (draft) => EndpointInput.safeParse({ ...draft, vendor_id: vendorId, priority: Number(draft.priority) }),
    async save(body) {
      await create.mutateAsync({ resource: 'endpoints', body });
      toast(saved, 'good');
      onClose();
    },
  });
  return (
    <FormDialog title={words.addEndpoint} form={form} onClose={onClose}>
      <Field label={words.label} error={form.error('label')}>
        <Input value={form.draft.label} onChange={(event) => form.set({ label: event.target.value })} />
      </Field>
      <Field label={words.baseUrl} error={form.error('base_url')}>
        <Input
          type="url"
          value={form.draft.base_url}
          onChange={(event) => form.set({ base_url: event.target.value })}
        />
      </Field>
      <Field label={words.priority} hint={words.priorityHint} error={form.error('priority')}>
        <Input
          type="number"
          value={form.draft.priority}
          onChange={(event) => form.set({ priority: event.target.value })}
        />
      </Field>
    </FormDialog>
  );
}
