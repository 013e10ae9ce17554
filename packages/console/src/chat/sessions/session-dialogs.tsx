import type { Session } from '@kith/protocol';
import { useState } from 'react';
import { isApiError } from '../../api/index.ts';
import { Button, ConfirmDialog, Dialog, Field, Input, toast } from '../../design/index.ts';
import { useWords } from '../../language/index.ts';
import { chatWords } from '../words.ts';
import { useDelete, useRename } from './sessions-data.ts';

const LONGEST_TITLE = 255;

export function RenameDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const words = useWords(chatWords);
  const rename = useRename();
  const [title, setTitle] = useState(session.title ?? '');
  return (
    <Dialog open onClose={onClose} title={words.rename} className="max-w-md">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate({ threadId: session.thread_id, title: title.trim() }, { onSuccess: onClose });
        }}
      >
        <Field label={words.title} error={rename.error?.message}>
          <Input autoFocus value={title} maxLength={LONGEST_TITLE} onChange={(event) => setTitle(event.target.value)} />
        </Field>
        <Button
          type="submit"
          look="primary"
          busy={rename.isPending}
          disabled={!title.trim()}
          className="justify-self-end"
        >
          {words.save}
        </Button>
      </form>
    </Dialog>
  );
}

export interface DeleteDialogProps {
  session: Session;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteDialog({ session, onClose, onDeleted }: DeleteDialogProps) {
  const words = useWords(chatWords);
  const remove = useDelete();
  const confirm = () =>
    remove.mutate(session.thread_id, {
      onSuccess: () => {
        toast(words.deleted, 'good');
        onDeleted();
        onClose();
      },
      onError: (error) => toast(isApiError(error, 'THREAD_BUSY') ? words.isBusy : error.message, 'bad'),
    });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={confirm}
      busy={remove.isPending}
      title={words.deleteAsked(session.title ?? words.untitled)}
      description={words.deleteHint}
      action={words.delete}
    />
  );
}
