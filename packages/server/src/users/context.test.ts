import { UserAgentContext, UserContextRequest } from '@kith/protocol';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostileText, megabyteOf } from '../../test/hostile-text.ts';
import { createLog } from '../observability/index.ts';
import { contextFrom, getUserAgentContext, settingsOf, usersOn } from './context.ts';
import type { ProfileRow, ProfileStore } from './profile-store.ts';
import { systemPromptFor } from './prompt-block.ts';
import { defaultSettings, parseProfileSettings } from './settings.ts';

const zhangsan: ProfileRow = {
  username: 'zhangsan',
  display_name: '张三',
  bio: '数据分析师',
  email: 'zhangsan@example.com',
  department: '数据部',
  role: null,
  custom_fields: { team: { name: '平台', members: ['李四'] } },
  settings: { version: 1, preferences: { timezone: 'UTC' } },
};

/** A store that is down, and a log that can be read. */
function brokenUsers() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) });
  const fail = async () => {
    throw new Error('connection refused');
  };
  const profiles: ProfileStore = { get: fail, put: fail, patch: fail, patchSettings: fail, delete: fail, list: fail };
  return { users: usersOn(profiles, log), profiles, log, lines };
}

function parts(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(parts)] : [];
}

describe('a context', () => {
  test('is what an agent may know: no email, no empty field', () => {
    expect(contextFrom('u-1', zhangsan)).toEqual({
      user_id: 'u-1',
      username: 'zhangsan',
      display_name: '张三',
      bio: '数据分析师',
      department: '数据部',
      custom_fields: { team: { name: '平台', members: ['李四'] } },
      settings: parseProfileSettings({ preferences: { timezone: 'UTC' } }),
    });
  });

  test('is frozen to the bottom, and leaves the row as it was', () => {
    const row = structuredClone(zhangsan);
    const context = contextFrom('u-1', row);
    expect(parts(context).every(Object.isFrozen)).toBe(true);
    expect(parts(context).length).toBeGreaterThan(6);
    expect(parts(row).some(Object.isFrozen)).toBe(false);
    expect(row).toEqual(zhangsan);
  });

  test('of someone without a profile says only that', () => {
    const stranger = contextFrom('guest', undefined);
    expect(stranger).toEqual({ user_id: 'guest', is_anonymous: true });
    expect(Object.isFrozen(stranger)).toBe(true);
  });

  test('keeps to the wire contract and to its bounds, whatever the row holds', () => {
    const text = fc.oneof(hostileText, fc.constant(megabyteOf('长')));
    const rows = fc.record({
      username: text,
      display_name: text,
      bio: fc.option(text),
      email: fc.option(fc.constantFrom('a@b.cn', '')),
      department: fc.option(text),
      role: fc.option(text),
      custom_fields: fc.oneof(
        fc.dictionary(hostileText, fc.jsonValue({ stringUnit: 'binary' })),
        fc.constant('broken'),
      ),
      settings: fc.anything(),
    });
    fc.assert(
      fc.property(rows, (row) => {
        const context = contextFrom('u-1', row);
        expect(UserAgentContext.parse(context)).toEqual(context);
        expect(JSON.stringify(context).length).toBeLessThan(100_000);
        expect(parts(context).every(Object.isFrozen)).toBe(true);
      }),
    );
  });

  test('survives settings that no longer parse, with the defaults and a line in the log', () => {
    const { users, lines } = brokenUsers();
    const context = users.contextFrom('u-1', { ...zhangsan, settings: { version: 99 } });
    expect(settingsOf(context)).toEqual(defaultSettings());
    expect(lines).toMatchObject([{ userId: 'u-1', msg: 'stored settings cannot be read' }]);
  });
});

describe('settings of a context', () => {
  test('are of the latest version', () => {
    expect(settingsOf(contextFrom('u-1', zhangsan))).toMatchObject({ version: 2, preferences: { timezone: 'UTC' } });
  });
  test('are the defaults for an anonymous user', () => {
    expect(settingsOf(contextFrom('guest', undefined))).toEqual(defaultSettings());
  });
});

describe('when the profile store fails', () => {
  test('the conversation goes on with what the session remembers', async () => {
    const { users, lines } = brokenUsers();
    const remembered = contextFrom('u-1', zhangsan);
    const context = await users.contextOf('u-1', JSON.parse(JSON.stringify(remembered)));
    expect(context).toEqual(remembered);
    expect(parts(context).every(Object.isFrozen)).toBe(true);
    expect(lines).toMatchObject([{ level: 50, userId: 'u-1', err: { message: 'connection refused' } }]);
  });

  test.each([
    ['nothing is remembered', undefined],
    ['null is remembered', null],
    ['what is remembered is damaged', { user_id: 'u-1', username: 7 }],
    ['it has fields that a context has not', { ...contextFrom('u-1', zhangsan), email: 'zhangsan@example.com' }],
    ['it is of another user', contextFrom('u-2', zhangsan)],
    ['it is anonymous', contextFrom('u-1', undefined)],
  ])('and %s, the user is anonymous', async (_, cached) => {
    const { profiles, log } = brokenUsers();
    expect(await getUserAgentContext({ profiles, log }, 'u-1', cached)).toEqual({ user_id: 'u-1', is_anonymous: true });
  });

  test('what a chat says of its user is still heard', async () => {
    const { users, lines } = brokenUsers();
    const context = await users.contextFromRequest('u-1', { user_id: 'u-1', display_name: '李四' });
    expect(context).toMatchObject({ user_id: 'u-1', display_name: '李四' });
    expect(lines).toHaveLength(1);
  });
});

describe('the user_context of a chat', () => {
  const known = (row: ProfileRow | undefined) => {
    const { profiles, log } = brokenUsers();
    const instant = '2026-03-05T00:00:00.000Z';
    const settings = parseProfileSettings(row?.settings);
    const profile = row && {
      user_id: 'u-1',
      ...row,
      custom_fields: {},
      settings,
      created_at: instant,
      updated_at: instant,
    };
    return usersOn({ ...profiles, get: async () => profile }, log);
  };

  test('stands over the profile, field by field', async () => {
    const context = await known(zhangsan).contextFromRequest('u-1', {
      user_id: 'u-1',
      display_name: '三哥',
      department: null,
      custom_fields: { desk: 7 },
    });
    expect(context).toMatchObject({
      username: 'zhangsan',
      display_name: '三哥',
      department: '数据部',
      custom_fields: { desk: 7 },
      settings: { preferences: { timezone: 'UTC' } },
    });
  });

  test('introduces someone who has no profile', async () => {
    const users = known(undefined);
    const request = { user_id: 'u-1', username: 'lisi', department: '市场部' };
    expect(await users.contextFromRequest('u-1', request)).toEqual({
      user_id: 'u-1',
      username: 'lisi',
      display_name: 'lisi',
      department: '市场部',
      settings: defaultSettings(),
    });
    expect(await users.contextFromRequest('u-1', { user_id: 'u-1', email: 'a@b.cn', role: null })).toEqual({
      user_id: 'u-1',
      is_anonymous: true,
    });
  });

  test('of another user is refused', async () => {
    await expect(known(zhangsan).contextFromRequest('u-1', { user_id: 'u-2' })).rejects.toMatchObject({
      code: 'NOT_YOUR_DATA',
      status: 403,
    });
  });

  test('shows neither address to an agent', async () => {
    const bio = 'zhangsan@example.com or three@corp.cn';
    const request = { user_id: 'u-1', bio, email: 'three@corp.cn' };
    const context = await known(zhangsan).contextFromRequest('u-1', request);
    expect(context).toMatchObject({ bio: '*** or ***' });
    expect(systemPromptFor(context)).not.toMatch(/example|corp/);
  });

  test('that is not one is refused with the name of the field', () => {
    const issuesOf = (request: unknown) => UserContextRequest.safeParse(request).error?.issues ?? [];
    expect(issuesOf({ user_id: 'u-1', nickname: 'x' })).toMatchObject([{ keys: ['nickname'] }]);
    expect(issuesOf({ user_id: 'u-1', email: 'no address' })).toMatchObject([{ path: ['email'] }]);
    expect(issuesOf({ user_id: 'u\u202e1' })).toMatchObject([{ path: ['user_id'] }]);
  });
});
