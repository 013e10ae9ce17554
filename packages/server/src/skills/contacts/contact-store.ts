import type { Contact, ContactInput, ContactPatch } from '@kith/protocol';
import type { Sql, Transaction } from '../../db/index.ts';
import { compact, typedForms } from './pinyin.ts';

/** The people a user knows. Every statement is about one user's contacts. */

interface ContactRow {
  id: string;
  contact_user_id: string | null;
  name: string;
  email: string | null;
  phone: string | null;
  department: string | null;
  title: string | null;
  created_at: Date;
  updated_at: Date;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Best first: the name itself, then names that begin so, then everything else that has it somewhere. */
export async function searchContacts(
  sql: Sql | Transaction,
  userId: string,
  query: string,
  limit: number,
): Promise<Contact[]> {
  const words = query.trim().toLowerCase();
  const typed = compact(query);
  const rows = await sql<ContactRow[]>`
    select id, contact_user_id, name, email, phone, department, title, created_at, updated_at from contacts
    where user_id = ${userId} and (
      ${words} = '' or strpos(lower(name), ${words}) > 0
      or (${typed} <> '' and (strpos(pinyin, ' ' || ${typed}) > 0 or strpos(replace(lower(name), ' ', ''), ${typed}) > 0))
      or strpos(lower(coalesce(email, '')), ${words}) > 0
      or strpos(lower(coalesce(department, '')), ${words}) > 0 or strpos(lower(coalesce(title, '')), ${words}) > 0
    )
    order by case
      when lower(name) = ${words} then 0
      when starts_with(lower(name), ${words}) then 1
      when starts_with(pinyin, ' ' || ${typed}) then 2
      when strpos(lower(name), ${words}) > 0 then 3
      when strpos(pinyin, ' ' || ${typed}) > 0 then 4
      else 5 end, name, id
    limit ${limit}`;
  return rows.map(toContact);
}

export async function findContact(
  sql: Sql | Transaction,
  userId: string,
  contactId: string,
): Promise<Contact | undefined> {
  if (!UUID.test(contactId)) return undefined;
  const [row] = await sql<ContactRow[]>`
    select id, contact_user_id, name, email, phone, department, title, created_at, updated_at from contacts
    where id = ${contactId} and user_id = ${userId}`;
  return row && toContact(row);
}

export async function addContact(sql: Sql | Transaction, userId: string, input: ContactInput): Promise<Contact> {
  const [row] = await sql<ContactRow[]>`
    insert into contacts (user_id, contact_user_id, name, pinyin, email, phone, department, title)
    values (${userId}, ${input.user_id ?? null}, ${input.name}, ${await typedForms(input.name)}, ${input.email ?? null},
      ${input.phone ?? null}, ${input.department ?? null}, ${input.title ?? null})
    returning id, contact_user_id, name, email, phone, department, title, created_at, updated_at`;
  if (!row) throw new Error('insert gave no row');
  return toContact(row);
}

export async function changeContact(
  sql: Sql | Transaction,
  userId: string,
  contactId: string,
  patch: ContactPatch,
): Promise<Contact | undefined> {
  if (!UUID.test(contactId)) return undefined;
  const { user_id: contactUserId, ...plainFields } = patch;
  const changes = {
    ...Object.fromEntries(Object.entries(plainFields).filter(([, value]) => value !== undefined)),
    ...(contactUserId === undefined ? {} : { contact_user_id: contactUserId }),
    ...(patch.name === undefined ? {} : { pinyin: await typedForms(patch.name) }),
    updated_at: new Date(),
  };
  const [row] = await sql<ContactRow[]>`
    update contacts set ${sql(changes)} where id = ${contactId} and user_id = ${userId}
    returning id, contact_user_id, name, email, phone, department, title, created_at, updated_at`;
  return row && toContact(row);
}

export async function removeContact(sql: Sql | Transaction, userId: string, contactId: string): Promise<boolean> {
  if (!UUID.test(contactId)) return false;
  const removed = await sql`delete from contacts where id = ${contactId} and user_id = ${userId}`;
  return removed.count > 0;
}

function toContact(row: ContactRow): Contact {
  return {
    contact_id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    department: row.department,
    title: row.title,
    user_id: row.contact_user_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
