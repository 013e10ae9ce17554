import { useState } from 'react';
import { Button, ConfirmDialog, IconButton, toast } from '../../design/index.ts';
import { useErrorText } from '../../forms/index.ts';
import { useWords } from '../../language/index.ts';
import { type Resource, useInfraChanges } from '../infra-data.ts';
import { adminWords } from '../words.ts';
import { registryWords } from './words.ts';

export interface RowDeedsProps {
  resource: Resource;
  id: string;
  name: string;
  enabled: boolean;
  removeTitle?: string;
  removeHint?: string;
}

/** What can be done with any row of the registry: switched on and off, removed. */
export function RowDeeds({ resource, id, name, enabled, removeTitle, removeHint }: RowDeedsProps) {
  const words = useWords(registryWords);
  const { remove: removeWord, removed } = useWords(adminWords);
  const say = useErrorText();
  const [isRemoving, setRemoving] = useState(false);
  const { change, remove } = useInfraChanges();
  const onError = (error: unknown) => toast(say(error), 'bad');
  return (
    <>
      <Button
        size="small"
        look="quiet"
        busy={change.isPending}
        aria-label={`${enabled ? words.turnOff : words.turnOn}: ${name}`}
        onClick={() => change.mutate({ resource, id, body: { enabled: !enabled } }, { onError })}
      >
        {enabled ? words.turnOff : words.turnOn}
      </Button>
      <IconButton icon="trash" label={`${removeWord}: ${name}`} onClick={() => setRemoving(true)} />
      <ConfirmDialog
        open={isRemoving}
        onClose={() => setRemoving(false)}
        title={removeTitle ?? words.removeTitle(name)}
        description={removeHint}
        action={removeWord}
        busy={remove.isPending}
        onConfirm={() =>
          remove.mutate(
            { resource, id },
            { onSuccess: () => toast(removed, 'good'), onError, onSettled: () => setRemoving(false) },
          )
        }
      />
    </>
  );
}
