import { type ReactNode, useId } from 'react';
import { Button, Dialog, Notice } from '../../design/index.ts';
import type { Form } from '../../forms/index.ts';
import { useWords } from '../../language/index.ts';
import { adminWords } from '../words.ts';

export interface FormDialogProps<Draft extends object> {
  title: string;
  description?: ReactNode;
  form: Form<Draft>;
  onClose: () => void;
  /** What its button says, where it is not "save". */
  action?: string;
  children: ReactNode;
}

/** A dialog that is a form: sent by its button or by Enter, with what was refused said inside of it. */
export function FormDialog<Draft extends object>(props: FormDialogProps<Draft>) {
  const { title, description, form, onClose, action, children } = props;
  const words = useWords(adminWords);
  const id = useId();
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      className="max-w-xl"
      footer={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" form={id} look="primary" busy={form.busy}>
            {action ?? words.save}
          </Button>
        </>
      }
    >
      <form id={id} className="grid gap-4" onSubmit={form.onSubmit} noValidate>
        {children}
        {form.failure && <Notice tone="bad" icon="error" title={form.failure} />}
      </form>
    </Dialog>
  );
}
