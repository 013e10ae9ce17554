import { Contact, ContactInput } from '@kith/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { api, segment } from '../../api/index.ts';
import { Button, Dialog, Field, Input, Notice, toast } from '../../design/index.ts';
import { useForm } from '../../forms/index.ts';
import { useWords } from '../../language/index.ts';
import { meWords } from '../words.ts';
import { contactWords } from './words.ts';

const FIELDS = ['name', 'department', 'title', 'email', 'phone', 'user_id'] as const;
type Name = (typeof FIELDS)[number];
type Draft = Record<Name, string>;

const draftOf = (contact: Contact | undefined): Draft => ({
  name: contact?.name ?? '',
  department: contact?.department ?? '',
  title: contact?.title ?? '',
  email: contact?.email ?? '',
  phone: contact?.phone ?? '',
  user_id: contact?.user_id ?? '',
});

const check = ({ name, ...rest }: Draft) =>
  ContactInput.safeParse({
    name,
    ...Object.fromEntries(Object.entries(rest).map(([field, text]) => [field, text.trim() || null])),
  });

export function ContactDialog({ contact, onClose }: { contact: Contact | undefined; onClose: () => void }) {
  const words = useWords(contactWords);
  const { save, saved, cancel } = useWords(meWords);
  const queries = useQueryClient();
  const id = useId();
  const form = useForm({
    initial: draftOf(contact),
    check,
    async save(body) {
      await (contact
        ? api.patch(`api/v1/contacts/${segment(contact.contact_id)}`, Contact, { body })
        : api.post('api/v1/contacts', Contact, { body }));
      await queries.invalidateQueries({ queryKey: ['contacts'] });
      toast(saved, 'good');
      onClose();
    },
  });
  const labels: Record<Name, string> = {
    name: words.name,
    department: words.department,
    title: words.jobTitle,
    email: words.email,
    phone: words.phone,
    user_id: words.userId,
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={contact ? words.editTitle : words.add}
      footer={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" form={id} look="primary" busy={form.busy}>
            {save}
          </Button>
        </>
      }
    >
      <form id={id} className="grid items-start gap-4 sm:grid-cols-2" onSubmit={form.onSubmit} noValidate>
        {FIELDS.map((name) => (
          <Field
            key={name}
            label={labels[name]}
            hint={name === 'user_id' ? words.userIdHint : undefined}
            error={form.error(name)}
            className={name === 'user_id' ? 'sm:col-span-2' : ''}
          >
            <Input
              autoFocus={name === 'name'}
              autoComplete="off"
              type={name === 'email' ? 'email' : name === 'phone' ? 'tel' : 'text'}
              value={form.draft[name]}
              onChange={(event) => form.set({ [name]: event.target.value })}
            />
          </Field>
        ))}
        {form.failure && <Notice tone="bad" icon="error" title={form.failure} className="sm:col-span-2" />}
      </form>
    </Dialog>
  );
}
