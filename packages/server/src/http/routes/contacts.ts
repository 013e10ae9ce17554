import { Contact, ContactInput, ContactList, ContactPatch, ContactQuery } from '@kith/protocol';
import { z } from 'zod';
import type { Database } from '../../db/index.ts';
import { errors } from '../../errors/index.ts';
import { addContact, changeContact, findContact, removeContact, searchContacts } from '../../skills/index.ts';
import type { App, Routes } from '../app.ts';

const tags = ['contacts'];
const base = '/api/v1/contacts';
const params = z.strictObject({ contact_id: z.string().max(100) });

/** The people the caller knows: whom their events can be shared with. */
export function contactRoutes({ database }: { database: Pick<Database, 'sql'> }): Routes {
  return async (app) => {
    collection(app, database);
    resource(app, database);
  };
}

function collection(app: App, { sql }: Pick<Database, 'sql'>): void {
  app.post(
    base,
    { schema: { tags, summary: 'Add a contact', body: ContactInput, response: { 201: Contact } } },
    async ({ caller, body }, reply) => reply.status(201).send(await addContact(sql, caller.userId, body)),
  );
  app.get(
    base,
    {
      schema: {
        tags,
        summary: 'Contacts, best match first',
        querystring: ContactQuery,
        response: { 200: ContactList },
      },
    },
    async ({ caller, query: { query, limit } }) => {
      const contacts = await searchContacts(sql, caller.userId, query, limit);
      return { count: contacts.length, contacts };
    },
  );
}

function resource(app: App, { sql }: Pick<Database, 'sql'>): void {
  app.get(
    `${base}/:contact_id`,
    { schema: { tags, summary: 'A contact', params, response: { 200: Contact } } },
    async ({ caller, params }) => found(await findContact(sql, caller.userId, params.contact_id)),
  );
  app.patch(
    `${base}/:contact_id`,
    { schema: { tags, summary: 'Change the named fields', params, body: ContactPatch, response: { 200: Contact } } },
    async ({ caller, params, body }) => found(await changeContact(sql, caller.userId, params.contact_id, body)),
  );
  app.delete(
    `${base}/:contact_id`,
    { schema: { tags, summary: 'Remove a contact', params, response: { 204: z.undefined() } } },
    async ({ caller, params }, reply) => {
      if (!(await removeContact(sql, caller.userId, params.contact_id))) throw errors.CONTACT_NOT_FOUND();
      return reply.status(204).send();
    },
  );
}

function found(contact: Contact | undefined): Contact {
  if (!contact) throw errors.CONTACT_NOT_FOUND();
  return contact;
}
