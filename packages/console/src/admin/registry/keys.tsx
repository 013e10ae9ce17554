import type { KeyView } from '@kith/protocol';
import { useState } from 'react';
import { Badge, Button, IconButton, Table, toast } from '../../design/index.ts';
import { useErrorText } from '../../forms/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import { useInfraChanges } from '../infra-data.ts';
import { adminWords } from '../words.ts';
import { KeyDialog, RotateDialog } from './key-dialogs.tsx';
import { RowDeeds } from './row-deeds.tsx';
import { Section } from './section.tsx';
import { registryWords } from './words.ts';

export function Keys({ vendorId, keys }: { vendorId: string; keys: readonly KeyView[] }) {
  const words = useWords(registryWords);
  const { deeds, enabled, disabled } = useWords(adminWords);
  const format = useFormat();
  const [open, setOpen] = useState<KeyView | 'new'>();
  const [rotated, setRotated] = useState<KeyView>();
  return (
    <Section title={words.keys} addLabel={words.addKey} isEmpty={keys.length === 0} onAdd={() => setOpen('new')}>
      <Table<KeyView>
        caption={words.keys}
        rows={keys}
        rowKey={(row) => row.id}
        columns={[
          { key: 'label', title: words.label, cell: (row) => row.label },
          { key: 'prefix', title: words.prefix, cell: (row) => <code className="text-sm">{row.prefix}</code> },
          {
            key: 'spent',
            title: words.spent,
            numeric: true,
            cell: (row) => (
              <span title={`¥${row.spent_this_month}`}>
                {format.money(row.spent_this_month)}
                {row.monthly_budget && <span className="text-faint"> / {format.money(row.monthly_budget)}</span>}
              </span>
            ),
          },
          {
            key: 'state',
            title: words.circuit,
            cell: (row) => (
              <>
                <Badge tone={row.enabled ? 'good' : 'plain'}>{row.enabled ? enabled : disabled}</Badge>
                {row.last_error && <span className="block text-sm wrap-anywhere text-bad">{row.last_error}</span>}
              </>
            ),
          },
          {
            key: 'deeds',
            title: <span className="sr-only">{deeds}</span>,
            cell: (row) => (
              <span className="-my-1 flex justify-end">
                <TestButton keyView={row} />
                <IconButton icon="key" label={`${words.rotate}: ${row.label}`} onClick={() => setRotated(row)} />
                <IconButton icon="edit" label={`${words.edit}: ${row.label}`} onClick={() => setOpen(row)} />
                <RowDeeds resource="keys" id={row.id} name={row.label} enabled={row.enabled} />
              </span>
            ),
          },
        ]}
      />
      {open && (
        <KeyDialog vendorId={vendorId} keyView={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />
      )}
      {rotated && <RotateDialog keyView={rotated} onClose={() => setRotated(undefined)} />}
    </Section>
  );
}

function TestButton({ keyView }: { keyView: KeyView }) {
  const words = useWords(registryWords);
  const format = useFormat();
  const say = useErrorText();
  const { testKey } = useInfraChanges();
  return (
    <Button
      size="small"
      look="quiet"
      busy={testKey.isPending}
      aria-label={`${words.test}: ${keyView.label}`}
      onClick={() =>
        testKey.mutate(keyView.id, {
          onSuccess: ({ ok, latency_ms, error }) =>
            ok ? toast(words.testOk(format.duration(latency_ms)), 'good') : toast(words.testFailed(error ?? ''), 'bad'),
          onError: (error) => toast(say(error), 'bad'),
        })
      }
    >
      {words.test}
    </Button>
  );
}
