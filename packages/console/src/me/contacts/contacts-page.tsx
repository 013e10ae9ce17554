import { type Contact, ContactList } from '@kith/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { api, segment } from '../../api/index.ts';
import {
  Button,
  Card,
  ConfirmDialog,
  EmptyState,
  Field,
  IconButton,
  Input,
  LoadFailure,
  Loading,
  Table,
  toast,
} from '../../design/index.ts';
import { useErrorText } from '../../forms/index.ts';
import { useWords } from '../../language/index.ts';
import { MeFrame } from '../me-frame.tsx';
import { meWords } from '../words.ts';
import { ContactDialog } from './contact-dialog.tsx';
import { contactWords } from './words.ts';

export function ContactsPage() {
  const words = useWords(contactWords);
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<Contact | 'new'>();
  const query = useDeferredValue(search.trim());
  const { data, error, refetch } = useQuery({
    queryKey: ['contacts', query],
    queryFn: ({ signal }) => api.get('api/v1/contacts', ContactList, { query: { query, limit: 500 }, signal }),
    placeholderData: (previous) => previous,
  });
  const add = (
    <Button look="primary" size="small" icon="add" onClick={() => setOpen('new')}>
      {words.add}
    </Button>
  );
  const isEmpty = data?.count === 0 && query === '';
  return (
    <MeFrame page="contacts" actions={!isEmpty && add}>
      {!isEmpty && <Search value={search} onChange={setSearch} />}
      <Card>
        {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Loading lines={4} />}
        {data?.count === 0 && (
          <EmptyState
            icon="contacts"
            title={isEmpty ? words.empty : words.noneFound}
            action={isEmpty ? add : undefined}
          >
            {isEmpty && words.emptyHint}
          </EmptyState>
        )}
        {data && data.count > 0 && <People contacts={data.contacts} onEdit={setOpen} />}
      </Card>
      {open && <ContactDialog contact={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />}
    </MeFrame>
  );
}

function Search({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const words = useWords(contactWords);
  const { search } = useWords(meWords);
  return (
    <Field label={search}>
      <Input
        type="search"
        placeholder={words.searchHint}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

function People({ contacts, onEdit }: { contacts: readonly Contact[]; onEdit: (contact: Contact) => void }) {
  const words = useWords(contactWords);
  const { edit, remove: removeWord, removed } = useWords(meWords);
  const say = useErrorText();
  const queries = useQueryClient();
  const [gone, setGone] = useState<Contact>();
  const remove = useMutation({
    mutationFn: (id: string) => api.delete(`api/v1/contacts/${segment(id)}`),
    onSuccess: () => toast(removed, 'good'),
    onError: (error) => toast(say(error), 'bad'),
    onSettled: () => {
      setGone(undefined);
      return queries.invalidateQueries({ queryKey: ['contacts'] });
    },
  });
  return (
    <>
      <Table<Contact>
        caption={words.list}
        rows={contacts}
        rowKey={(contact) => contact.contact_id}
        columns={[
          { key: 'name', title: words.name, cell: ({ name }) => <span className="font-medium">{name}</span> },
          { key: 'department', title: words.department, cell: ({ department }) => department ?? '—' },
          { key: 'title', title: words.jobTitle, cell: ({ title }) => title ?? '—' },
          { key: 'email', title: words.email, cell: ({ email }) => email ?? '—' },
          { key: 'phone', title: words.phone, cell: ({ phone }) => phone ?? '—', className: 'whitespace-nowrap' },
          {
            key: 'deeds',
            title: <span className="sr-only">{words.deeds}</span>,
            cell: (contact) => (
              <span className="-my-1 flex justify-end gap-1">
                <IconButton icon="edit" label={`${edit}: ${contact.name}`} onClick={() => onEdit(contact)} />
                <IconButton icon="trash" label={`${removeWord}: ${contact.name}`} onClick={() => setGone(contact)} />
              </span>
            ),
          },
        ]}
      />
      <ConfirmDialog
        open={gone !== undefined}
        onClose={() => setGone(undefined)}
        title={words.removeTitle(gone?.name ?? '')}
        action={removeWord}
        busy={remove.isPending}
        onConfirm={() => gone && remove.mutate(gone.contact_id)}
      />
    </>
  );
}
