import { ProfileInput, type UserQuery } from '@kith/protocol';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { hostileText, megabyteOf } from '../../test/hostile-text.ts';
import { createLog } from '../observability/index.ts';
import { createProfileStore } from './profile-store.ts';
import { defaultSettings, parseProfileSettings } from './settings.ts';

const database = await testDatabase();
const lines: Record<string, unknown>[] = [];
const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) });
const store = createProfileStore({ database, log, lazyUpgrade: false });
const lazyStore = createProfileStore({ database, log, lazyUpgrade: true });
const storedSettings = async (userId: string) =>
  (await database.sql`select settings from profiles where user_id = ${userId}`)[0]?.settings;

beforeEach(async () => {
  await database.sql`truncate profiles`;
  lines.length = 0;
});

describe('property 2 and 3: what was put comes back', () => {
  const name = hostileText.filter((text) => text.length <= 2048 && /\S/.test(text));
  const text = fc.option(
    hostileText.filter((value) => value.length <= 2048),
    { nil: null },
  );
  const input = fc.record({
    username: name,
    display_name: name,
    bio: text,
    email: fc.constantFrom(null, 'zhang.san+1@example.co.uk'),
    department: text,
    role: text,
    custom_fields: fc.dictionary(hostileText, fc.oneof(hostileText, fc.jsonValue({ stringUnit: 'binary' }))),
  });

  test('every field, and every custom field, of every profile that the border lets in', async () => {
    await fc.assert(
      fc.asyncProperty(input, async (raw) => {
        const { success, data: given } = ProfileInput.safeParse(raw);
        fc.pre(success);
        const { profile } = await store.put('u-1', given);
        const { settings: _, ...fields } = given;
        expect(profile).toMatchObject(JSON.parse(JSON.stringify(fields)));
        expect(profile.custom_fields).toEqual(JSON.parse(JSON.stringify(given.custom_fields)));
        expect(await store.get('u-1')).toEqual(profile);
      }),
      { numRuns: 60 },
    );
  });

  test('only characters that no database holds are replaced, by the sign for it', async () => {
    const given = ProfileInput.parse({ username: 'a\u0000b', bio: '\ud800', custom_fields: { '\udc00': ['\u0000'] } });
    expect((await store.put('u-1', given)).profile).toMatchObject({
      username: 'a\ufffdb',
      bio: '\ufffd',
      custom_fields: { '\ufffd': ['\ufffd'] },
    });
  });

  test('also a megabyte of it', async () => {
    const bio = megabyteOf('长');
    const given = ProfileInput.parse({ username: '名'.repeat(2048), bio, custom_fields: { note: bio } });
    expect((await store.put('u-1', given)).profile).toMatchObject({ bio, custom_fields: { note: bio } });
  });
});

test('a profile is created once and then replaced, keeping the day of its making', async () => {
  const first = await store.put('u-1', { username: 'zhangsan', bio: 'old', email: 'a@b.cn', custom_fields: { a: 1 } });
  const second = await store.put('u-1', { username: 'zhangsan', display_name: '张三' });
  expect([first.created, second.created]).toEqual([true, false]);
  expect(first.profile.display_name).toBe('zhangsan');
  expect(second.profile).toMatchObject({ display_name: '张三', bio: null, email: null, custom_fields: {} });
  expect(second.profile.created_at).toBe(first.profile.created_at);
  expect(Date.parse(second.profile.updated_at)).toBeGreaterThan(Date.parse(first.profile.updated_at));
});

test('a patch changes what it names, empties what it sets to null, and leaves the rest', async () => {
  await store.put('u-1', {
    username: 'zhangsan',
    display_name: '张三',
    bio: 'b',
    department: 'd',
    custom_fields: { a: 1 },
  });
  expect(
    await store.patch('u-1', { bio: null, role: 'r', settings: { preferences: { country: 'us' } } }),
  ).toMatchObject({
    username: 'zhangsan',
    display_name: '张三',
    bio: null,
    department: 'd',
    role: 'r',
    custom_fields: { a: 1 },
    settings: { version: 2, preferences: { country: 'US', timezone: 'Asia/Shanghai' } },
  });
  expect(await store.patch('u-1', { display_name: null, username: 'zs', custom_fields: null })).toMatchObject({
    display_name: 'zs',
    custom_fields: {},
    settings: { preferences: { country: 'US' } },
  });
  expect(await store.patch('u-1', { settings: null })).toMatchObject({ settings: defaultSettings() });
});

test('a patch of nobody is refused, and makes nobody', async () => {
  await expect(store.patch('u-1', { bio: 'b' })).rejects.toMatchObject({ code: 'PROFILE_NOT_FOUND' });
  expect(await store.get('u-1')).toBeUndefined();
});

test('settings of someone without a profile make one, with the user id for a name', async () => {
  await store.patchSettings('u-1', { preferences: { timezone: 'UTC' } });
  expect(await store.get('u-1')).toMatchObject({
    username: 'u-1',
    display_name: 'u-1',
    settings: { preferences: { timezone: 'UTC', country: 'CN' } },
  });
});

test('bad settings are refused by their place in the request, and nothing is written', async () => {
  const bad = { preferences: { timezone: 'CST' } };
  const fields = (field: string) => ({ code: 'SETTINGS_INVALID', fields: [{ field }] });
  await expect(store.patchSettings('u-1', bad)).rejects.toMatchObject(fields('preferences.timezone'));
  await expect(store.put('u-1', { username: 'u', settings: bad })).rejects.toMatchObject(
    fields('settings.preferences.timezone'),
  );
  expect(await store.get('u-1')).toBeUndefined();
  const { profile } = await store.put('u-1', { username: 'u' });
  await expect(store.patch('u-1', { bio: 'b', settings: bad })).rejects.toMatchObject(
    fields('settings.preferences.timezone'),
  );
  await expect(store.patchSettings('u-1', bad)).rejects.toMatchObject(fields('preferences.timezone'));
  expect(await store.get('u-1')).toEqual(profile);
});

test('changes at the same time all stay', async () => {
  await store.put('u-1', { username: 'u' });
  const methods = Array.from({ length: 8 }, (_, at) => `calendar.method${at}`);
  await Promise.all(
    methods.map((method) => store.patchSettings('u-1', { safety: { approvals: { [method]: 'always' } } })),
  );
  const approvals = Object.fromEntries(methods.map((method) => [method, 'always']));
  expect((await store.get('u-1'))?.settings).toMatchObject({ safety: { approvals } });
});

test('two first changes at the same time make one profile, with both', async () => {
  const changes = [{ timezone: 'UTC' }, { country: 'US' }];
  await Promise.all(changes.map((preferences) => store.patchSettings('u-1', { preferences })));
  expect((await store.get('u-1'))?.settings.preferences).toMatchObject({ timezone: 'UTC', country: 'US' });
});

describe('versions of settings', () => {
  test('writing stores the latest', async () => {
    await store.put('u-1', { username: 'u', settings: { version: 1, preferences: { country: 'JP' } } });
    expect(await storedSettings('u-1')).toMatchObject({ version: 2, preferences: { country: 'JP' }, safety: {} });
  });

  test('reading takes an older document as it is, and the next write upgrades it', async () => {
    await store.put('u-1', { username: 'u' });
    await database.sql`update profiles set settings = '{"preferences": {"country": "JP"}}'`;
    expect((await store.get('u-1'))?.settings).toEqual(parseProfileSettings({ preferences: { country: 'JP' } }));
    await store.patchSettings('u-1', { preferences: { timezone: 'UTC' } });
    expect(await storedSettings('u-1')).toMatchObject({ version: 2, preferences: { country: 'JP', timezone: 'UTC' } });
  });

  test('a lazy upgrade waits until the newer version is needed', async () => {
    await lazyStore.put('u-1', { username: 'u', settings: { preferences: { country: 'JP' } } });
    await lazyStore.patchSettings('u-1', { preferences: { timezone: 'UTC' } });
    expect(await storedSettings('u-1')).toMatchObject({ version: 1, preferences: { country: 'JP', timezone: 'UTC' } });
    await lazyStore.patchSettings('u-1', { safety: { approvals: { 'calendar.delete': 'never' } } });
    expect(await storedSettings('u-1')).toMatchObject({ version: 2, preferences: { country: 'JP', timezone: 'UTC' } });
  });

  test('a document that no longer parses does not lock its user out', async () => {
    await store.put('u-1', { username: 'u', bio: 'still here' });
    await database.sql`update profiles set settings = '{"version": 99}'`;
    expect(await store.get('u-1')).toMatchObject({ bio: 'still here', settings: defaultSettings() });
    expect(lines).toMatchObject([{ level: 40, userId: 'u-1', msg: 'stored settings cannot be read' }]);
    expect(await store.patchSettings('u-1', { preferences: { timezone: 'UTC' } })).toMatchObject({ version: 2 });
  });
});

test('a profile is forgotten once', async () => {
  await store.put('u-1', { username: 'u' });
  await store.put('u-2', { username: 'u' });
  expect([await store.delete('u-1'), await store.delete('u-1')]).toEqual([true, false]);
  expect(await store.get('u-2')).toBeDefined();
});

describe('the list', () => {
  const everyone = async (query: Omit<UserQuery, 'limit'> & { limit?: number }) => {
    const pages: string[][] = [];
    for (let cursor = query.cursor; ; ) {
      const page = await store.list({ limit: 2, ...query, ...(cursor ? { cursor } : {}) });
      pages.push(page.users.map((user) => user.user_id));
      if (page.next_cursor === null) return pages;
      cursor = page.next_cursor;
    }
  };

  test('goes page by page through all users, each once', async () => {
    for (const id of ['e', 'a', 'd', 'b', 'c', '张三']) await store.put(id, { username: id });
    const pages = await everyone({});
    expect(pages.map((page) => page.length)).toEqual([2, 2, 2]);
    expect(pages.flat().toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', '张三']);
  });

  test('finds by part of an id, a name or a department, and takes every character as it is', async () => {
    await store.put('u-1', { username: 'ZhangSan', display_name: '张三', department: '数据部' });
    await store.put('u-2', { username: 'li_si', display_name: '李四 100%' });
    await store.put('u-3', { username: 'lixsi', display_name: 'back\\slash' });
    const found = async (q: string) => (await everyone({ q })).flat();
    expect(await found('zhangsan')).toEqual(['u-1']);
    expect(await found('数据')).toEqual(['u-1']);
    expect(await found('U-')).toEqual(['u-1', 'u-2', 'u-3']);
    expect(await found('li_si')).toEqual(['u-2']);
    expect(await found('0%')).toEqual(['u-2']);
    expect(await found('\\')).toEqual(['u-3']);
    expect(await found("' or 1=1 --")).toEqual([]);
  });

  test('shows no more of people than it needs', async () => {
    await store.put('u-1', { username: 'u', bio: 'private', email: 'a@b.cn', custom_fields: { a: 1 } });
    const { users } = await store.list({ limit: 10 });
    expect(Object.keys(users[0] ?? {}).toSorted()).toEqual(
      ['user_id', 'username', 'display_name', 'department', 'role', 'created_at', 'updated_at'].toSorted(),
    );
  });

  test('refuses a cursor that it did not give', async () => {
    await expect(store.list({ limit: 1, cursor: 'AAAA' })).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      fields: [{ field: 'cursor' }],
    });
  });
});

test('an error of the database carries nothing of the profile', async () => {
  const failure = await store.put('u-1', { username: 'u', bio: 'secret \u0000' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(JSON.stringify(failure) + String(failure)).not.toContain('secret');
});
