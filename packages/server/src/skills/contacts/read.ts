import type { UiHints } from '@kith/protocol';
import { z } from 'zod';
import { done } from '../output.ts';
import type { SkillMethod } from '../port.ts';
import { line } from '../text.ts';
import { inLanguage, type Words } from '../words.ts';
import { searchContacts } from './contact-store.ts';

const ReadInput = z.strictObject({ query: line(200).optional(), limit: z.int().min(1).max(100).default(20) });
const FoundContact = z.strictObject({
  contact_id: z.string(),
  name: z.string(),
  department: z.string().optional(),
  title: z.string().optional(),
  email: z.string().optional(),
  phone: z.string().optional(),
});
type FoundContact = z.infer<typeof FoundContact>;
const Found = z.strictObject({
  count: z.int(),
  contacts: z.array(FoundContact),
  truncated: z.boolean().optional(),
});

export const readContacts: SkillMethod<z.infer<typeof ReadInput>> = {
  module: 'contacts',
  method: 'read',
  effect: 'read',
  idempotent: true,
  approval: false,
  input: ReadInput,
  async run({ query = '', limit }, { sql, userId, language }) {
    const found = await searchContacts(sql, userId, query, limit + 1);
    const contacts = found.slice(0, limit).map(({ contact_id, name, department, title, email, phone }) => ({
      contact_id,
      name,
      ...(department ? { department } : {}),
      ...(title ? { title } : {}),
      ...(email ? { email } : {}),
      ...(phone ? { phone } : {}),
    }));
    const count = contacts.length;
    return done(
      Found,
      { count, contacts, ...(found.length > limit ? { truncated: true } : {}) },
      {
        summary: inLanguage({ zh: `找到 ${count} 位联系人`, en: `${count} contact(s) found` }, language),
        hints: card(contacts, language),
      },
    );
  },
};

const columns: Record<'name' | 'department' | 'title', Words> = {
  name: { zh: '姓名', en: 'Name' },
  department: { zh: '部门', en: 'Department' },
  title: { zh: '职位', en: 'Title' },
};

function card(contacts: readonly FoundContact[], language: string): UiHints {
  const rows = contacts.map(({ name, department = '', title = '' }) => ({ name, department, title }));
  return {
    kind: 'contacts.list',
    title: inLanguage({ zh: '联系人', en: 'Contacts' }, language),
    blocks: [
      {
        type: 'table',
        columns: Object.entries(columns).map(([key, words]) => ({ key, label: inLanguage(words, language) })),
        rows,
      },
    ],
    actions: [],
  };
}
