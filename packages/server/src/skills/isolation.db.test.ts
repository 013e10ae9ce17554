import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { JsonObject } from '@kith/protocol';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { noModels } from '../../test/no-models.ts';
import { Config } from '../config/index.ts';
import { createFiles } from '../files/index.ts';
import { createMemory } from '../memory/index.ts';
import { createLog } from '../observability/index.ts';
import { Created } from './calendar/inputs.ts';
import { addContact, changeContact, findContact, removeContact, searchContacts } from './contacts/contact-store.ts';
import { createSkills } from './create-skills.ts';
import { callerFor } from './test-caller.ts';

const database = await testDatabase();
const { sql } = database;
const log = createLog('silent');
const config = Config.parse({ home: mkdtempSync(join(tmpdir(), 'kith-isolation-')), memory: { embeddings: 'none' } });
const memory = createMemory({ config: config.memory, database, models: noModels, log });
const files = await createFiles({ database, config, log });
const skills = await createSkills({ config, log, memory, files });
const call = callerFor(database, skills);
afterAll(async () => {
  await Promise.all([skills.close(), memory.close(), files.close()]);
});

/** Everything that is Alice's carries this word. Carol is her guest; Bob is nobody to her. */
const SECRET = 'zanzibar';
const alice = { userId: 'alice' };
const bob = { userId: 'bob' };

const carol = await addContact(sql, 'alice', { name: `Carol ${SECRET}`, user_id: 'carol', department: SECRET });
const make = async (input: JsonObject) =>
  Created.parse((await call(alice, 'calendar.create', { title: SECRET, location: SECRET, ...input })).result).event_id;
const event = await make({ start: '2026-11-16T10:00', end: '2026-11-16T11:00' });
const series = await make({ start: '2026-11-16T14:00', end: '2026-11-16T15:00', recurrence: 'FREQ=DAILY' });
const shared = await make({
  start: '2026-11-17T10:00',
  end: '2026-11-17T11:00',
  participants: [{ contact_id: carol.contact_id, permission: 'edit' }],
});
const occurrence = `${series}_20261117T060000Z`;
await call(alice, 'calendar.share', { event_id: occurrence, participants: [{ contact_id: carol.contact_id }] });
await call(alice, 'memory.update', { user_memory: { facts: [`Has a boat in ${SECRET}`] } });
const [remembered] = (await memory.list('alice', { status: 'live', limit: 10 })).memories;
const upload = {
  name: `${SECRET}.txt`,
  mediaType: 'text/plain',
  bytes: Readable.from([Buffer.from(`All about ${SECRET}.`)]),
};
const file = await files.store('alice', upload);

const ids = [
  event,
  series,
  shared,
  occurrence,
  `${series}_20261116T060000Z`,
  carol.contact_id,
  file.id,
  remembered?.id ?? '',
];

async function everythingOfAlice(): Promise<unknown> {
  return Promise.all([
    sql`select * from calendar_events where user_id = 'alice' order by id`,
    sql`select p.* from calendar_participants p join calendar_events e on e.id = p.event_id
        where e.user_id = 'alice' order by p.event_id, p.participant`,
    sql`select * from contacts where user_id = 'alice' order by id`,
    sql`select id, content, valid_to from memories where user_id = 'alice' order by id`,
    sql`select * from files where user_id = 'alice' order by id`,
  ]);
}

const id = fc.constantFrom(...ids);
const scope = fc.constantFrom<JsonObject>({}, { scope: 'this' }, { scope: 'following' }, { scope: 'all' });
const time = { start: '2026-11-16T10:00', end: '2026-11-16T15:00' };
const uuids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const called = (name: string, input: JsonObject): [string, JsonObject] => [name, input];
/** Any method, with any of Alice's ids in any place that takes one. */
const anyCall = fc.oneof(
  id.map((event_id) => called('calendar.read', { mode: 'event', event_id })),
  fc.constantFrom('2026-11-16', '2026-11-17').map((date) => called('calendar.read', { mode: 'day', date })),
  fc.constant(called('calendar.read', { mode: 'range', start: '2026-01-01', end: '2026-12-31' })),
  fc.constant(called('calendar.read', { mode: 'search', query: SECRET })),
  id.map((contact_id) => called('calendar.create', { title: 'x', ...time, participants: [{ contact_id }] })),
  fc.constant(called('calendar.create', { title: 'x', ...time, participants: [{ user_id: 'alice' }] })),
  fc.constant(called('calendar.create', { title: 'x', ...time, recurrence: 'FREQ=DAILY' })),
  fc.tuple(id, scope).map(([event_id, part]) => called('calendar.update', { event_id, title: 'mine', ...part })),
  fc.tuple(id, scope).map(([event_id, part]) => called('calendar.update', { event_id, ...time, ...part })),
  fc.tuple(id, scope).map(([event_id, part]) => called('calendar.delete', { event_id, ...part })),
  fc
    .tuple(id, id)
    .map(([event_id, contact_id]) => called('calendar.share', { event_id, participants: [{ contact_id }] })),
  id.map((event_id) => called('calendar.share', { event_id, participants: [{ user_id: 'bob' }] })),
  id.map((event_id) => called('calendar.accept_invite', { event_id })),
  id.map((event_id) => called('calendar.reject_invite', { event_id })),
  fc.constantFrom(SECRET, 'carol', '').map((query) => called('contacts.read', query ? { query } : {})),
  fc.constant(called('memory.search', { query: `boat ${SECRET}` })),
  id.map((memory_id) => called('memory.forget', { memory_id })),
  id.map((file_id) => called('files.read', { file_id })),
  fc.constant(called('files.search', { query: SECRET })),
);

test('nobody sees, changes or infers what is another’s, by any method with any id', { timeout: 120_000 }, async () => {
  const before = await everythingOfAlice();
  await fc.assert(
    fc.asyncProperty(anyCall, async ([name, input]) => {
      const output = await call(bob, name, input);
      // The words of his own question come back to him in the summary; hers never do.
      expect(JSON.stringify([output.result, output.error, output.ui_hints?.blocks])).not.toContain(SECRET);
      // What is there and not his looks exactly like what is not there at all.
      const unknown = JsonObject.parse(JSON.parse(JSON.stringify(input).replace(uuids, () => randomUUID())));
      if (output.status === 'failure') expect(await call(bob, name, unknown)).toEqual(output);
      await sql`delete from calendar_events where user_id = 'bob'`;
    }),
    { numRuns: 250 },
  );
  expect(await everythingOfAlice()).toEqual(before);
});

test('contacts by REST’s own functions are their owner’s alone', async () => {
  expect(await findContact(sql, 'bob', carol.contact_id)).toBeUndefined();
  expect(await changeContact(sql, 'bob', carol.contact_id, { name: 'x' })).toBeUndefined();
  expect(await removeContact(sql, 'bob', carol.contact_id)).toBe(false);
  expect(await searchContacts(sql, 'bob', '', 100)).toEqual([]);
});

test('the owner does find all of it: the test above looks in the right places', async () => {
  const reads = [
    ['calendar.read', { mode: 'search', query: SECRET }],
    ['contacts.read', { query: SECRET }],
    ['memory.search', { query: `boat ${SECRET}` }],
    ['files.search', { query: SECRET }],
    ['files.read', { file_id: file.id }],
  ] as const;
  for (const [name, input] of reads) expect(JSON.stringify((await call(alice, name, input)).result)).toContain(SECRET);
});
