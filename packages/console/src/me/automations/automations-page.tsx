import type { Automation } from '@kith/protocol';
import { useState } from 'react';
import { Button, Card, EmptyState, LoadFailure, Loading } from '../../design/index.ts';
import { useWords } from '../../language/index.ts';
import { MeFrame } from '../me-frame.tsx';
import { AutomationCard } from './automation-card.tsx';
import { useAutomations } from './automation-data.ts';
import { AutomationDialog } from './automation-dialog.tsx';
import { automationWords } from './words.ts';

export function AutomationsPage() {
  const words = useWords(automationWords);
  const [open, setOpen] = useState<Automation | 'new'>();
  const { data, error, refetch } = useAutomations();
  const add = (
    <Button look="primary" size="small" icon="add" onClick={() => setOpen('new')}>
      {words.add}
    </Button>
  );
  const automations = data?.automations ?? [];
  return (
    <MeFrame page="automations" actions={automations.length > 0 && add}>
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading lines={4} />}
      {data && automations.length === 0 && (
        <Card>
          <EmptyState icon="clock" title={words.empty} action={add}>
            {words.emptyHint}
          </EmptyState>
        </Card>
      )}
      {automations.map((automation) => (
        <AutomationCard key={automation.id} automation={automation} onEdit={() => setOpen(automation)} />
      ))}
      {open && <AutomationDialog automation={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />}
    </MeFrame>
  );
}
