import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { createLog } from '../../observability/index.ts';
import { createSkills } from '../create-skills.ts';
import { callerFor } from '../test-caller.ts';
import { addContact, changeContact, findContact, removeContact, searchContacts } from './contact-store.ts';

const database = await testDatabase();
const skills = await createSkills({ config: { skills: { mcp: {} } }, log: createLog('silent') });
const call = callerFor(database, skills);
const { sql } = database;

await addContact(sql, 'zhangsan', { name: '李雷', department: '研发部', title: 'Engineer', email: 'lei@example.com' });
await addContact(sql, 'zhangsan', { name: '李磊', department: '市场部' });
await addContact(sql, 'zhangsan', { name: '韩梅梅', department: '研发部' });
await addContact(sql, 'zhangsan', { name: '单雄信' });
await addContact(sql, 'zhangsan', { name: 'José García', email: '100%@example.com' });
await addContact(sql, 'other', { name: '李雷', department: '机密' });

const namesFor = async (query: string) => {
  const found = await searchContacts(sql, 'zhangsan', query, 20);
  return found.map(({ name }) => name);
};

test.each([
  ['李雷', ['李雷']],
  ['lilei', ['李磊', '李雷']],
  ['Li Lei', ['李磊', '李雷']],
  ['ll', ['李磊', '李雷']],
  ['hmm', ['韩梅梅']],
  ['meimei', ['韩梅梅']],
  ['shan', ['单雄信']],
  ['研发', ['李雷', '韩梅梅']],
  ['jose', ['José García']],
  ['lei@', ['李雷']],
  ['engineer', ['李雷']],
  ['100%', ['José García']],
  ['%', ['José García']],
  ['_', []],
  ['nobody', []],
])('%s finds %j', async (query, names) => {
  expect((await namesFor(query)).sort()).toEqual([...names].sort());
});

test('contacts.read gives compact facts and a card, in order of fit', async () => {
  const output = await call({ userId: 'zhangsan', language: 'zh-CN' }, 'contacts.read', { query: '李雷' });
  expect(output).toMatchObject({
    status: 'success',
    summary: '找到 1 位联系人',
    result: {
      count: 1,
      contacts: [{ name: '李雷', department: '研发部', title: 'Engineer', email: 'lei@example.com' }],
    },
    ui_hints: { kind: 'contacts.list', title: '联系人' },
  });
  const limited = await call({ userId: 'zhangsan' }, 'contacts.read', { limit: 2 });
  expect(limited.result).toMatchObject({ count: 2, truncated: true });
  expect(await call({ userId: 'zhangsan' }, 'contacts.read', { name: 'x' })).toMatchObject({
    error: { code: 'INPUT_INVALID', field: 'name' },
  });
});

test('a contact is changed, found under the new name, and removed, by its owner only', async () => {
  const { contact_id } = await addContact(sql, 'owner', { name: '王五', phone: '123' });
  expect(await changeContact(sql, 'thief', contact_id, { name: 'x' })).toBeUndefined();
  expect(await removeContact(sql, 'thief', contact_id)).toBe(false);
  expect(await findContact(sql, 'thief', contact_id)).toBeUndefined();
  expect(await changeContact(sql, 'owner', contact_id, { name: '赵六', phone: null })).toMatchObject({
    name: '赵六',
    phone: null,
  });
  expect(await searchContacts(sql, 'owner', 'zhaoliu', 5)).toHaveLength(1);
  expect(await searchContacts(sql, 'owner', 'wangwu', 5)).toHaveLength(0);
  expect(await removeContact(sql, 'owner', contact_id)).toBe(true);
  expect(await findContact(sql, 'owner', 'not-an-id')).toBeUndefined();
});
