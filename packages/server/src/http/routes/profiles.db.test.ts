import { ContextPrompt, Problem, ProfileSettings, UserAgentContext, UserPage, UserProfile } from '@kith/protocol';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { hostileText, megabyteOf } from '../../../test/hostile-text.ts';
import { testKith } from '../../../test/kith.ts';

const kith = await testKith({ config: { server: { rateLimit: { max: 100_000 } } } });
const zhangsan = kith.as('zhangsan');
const lisi = kith.as('lisi');
const admin = kith.as('root', 'admin');
const mine = (resource: string) => `/api/v1/users/me/${resource}`;
const of = (userId: string, resource: string) => `/api/v1/users/${encodeURIComponent(userId)}/${resource}`;
const rows = () => kith.database.sql`select * from profiles order by user_id`;

beforeEach(async () => {
  await kith.database.sql`truncate profiles`;
});

describe('a profile', () => {
  test('is created, read, replaced, changed and forgotten', async () => {
    expect(await zhangsan.get(mine('profile'))).toMatchObject({ status: 404, body: { code: 'PROFILE_NOT_FOUND' } });

    const created = await zhangsan.put(mine('profile'), {
      username: 'zhangsan',
      bio: '分析师',
      email: 'z@example.com',
    });
    expect(created.status).toBe(201);
    expect(created.read(UserProfile)).toMatchObject({
      user_id: 'zhangsan',
      display_name: 'zhangsan',
      bio: '分析师',
      email: 'z@example.com',
      department: null,
      custom_fields: {},
      settings: { version: 2, preferences: { timezone: 'Asia/Shanghai' } },
    });
    expect((await zhangsan.get(mine('profile'))).body).toEqual(created.body);

    const replaced = await zhangsan.put(of('zhangsan', 'profile'), {
      user_id: 'zhangsan',
      username: 'zs',
      role: '组长',
    });
    expect(replaced).toMatchObject({ status: 200, body: { username: 'zs', role: '组长', bio: null, email: null } });

    const changed = await zhangsan.patch(mine('profile'), { bio: 'b', custom_fields: { 工号: 7 } });
    expect(changed).toMatchObject({ status: 200, body: { username: 'zs', bio: 'b', custom_fields: { 工号: 7 } } });

    expect((await zhangsan.delete(mine('profile'))).status).toBe(204);
    expect(await zhangsan.delete(mine('profile'))).toMatchObject({ status: 404, body: { code: 'PROFILE_NOT_FOUND' } });
    expect(await zhangsan.patch(mine('profile'), { bio: 'b' })).toMatchObject({ status: 404 });
  });

  test.each([
    ['an unknown field', { username: 'z', nickname: 'n' }, 'nickname'],
    ['a missing name', { bio: 'b' }, 'username'],
    ['a blank name', { username: ' \u3000' }, 'username'],
    ['a wrong type', { username: 'z', bio: 7 }, 'bio'],
    ['a bad address', { username: 'z', email: 'zhangsan' }, 'email'],
    ['custom fields that are a list', { username: 'z', custom_fields: [1] }, 'custom_fields'],
    ['custom fields without end', { username: 'z', custom_fields: { a: nested(100) } }, 'custom_fields'],
    ['another user in the body', { user_id: 'lisi', username: 'z' }, 'user_id'],
    ['more than a megabyte in a field', { username: 'z', bio: `${megabyteOf('x')}x` }, 'bio'],
  ])('with %s is refused by name, and nothing is written', async (_, body, field) => {
    const answer = await zhangsan.put(mine('profile'), body);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.read(Problem)).toMatchObject({ code: 'REQUEST_INVALID', errors: [{ field }] });
    expect(await rows()).toHaveLength(0);
  });

  test.each([
    [
      'a body so deep that walking it would overflow',
      `{"username":"z","custom_fields":{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}}`,
    ],
    ['a key that means something to JavaScript', '{"username":"z","custom_fields":{"__proto__":{"admin":true}}}'],
    ['no JSON', '{"username":'],
    ['no object', '"z"'],
    ['nothing', ''],
  ])('from %s is refused, and nothing is written', async (_, body) => {
    const headers = { 'content-type': 'application/json' };
    const response = await zhangsan.fetch(mine('profile'), { method: 'PUT', body, headers });
    expect(response.status).toBe(400);
    expect(await rows()).toHaveLength(0);
  });

  test('of a patch that is partly wrong keeps everything', async () => {
    await zhangsan.put(mine('profile'), { username: 'z', bio: 'b' });
    const before = await rows();
    for (const patch of [
      { bio: 'new', nickname: 'n' },
      { bio: 'new', settings: { preferences: { country: 'zz' } } },
    ]) {
      expect((await zhangsan.patch(mine('profile'), patch)).status).toBe(400);
    }
    expect(await rows()).toEqual(before);
  });
});

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)];
}

describe('property 7: everyone sees their own data only', () => {
  const requests: [string, string, unknown?][] = [
    ['GET', 'profile'],
    ['PUT', 'profile', { username: 'stolen' }],
    ['PATCH', 'profile', { bio: 'stolen' }],
    ['DELETE', 'profile'],
    ['GET', 'settings'],
    ['PATCH', 'settings', { preferences: { country: 'US' } }],
    ['GET', 'context'],
    ['GET', 'context/prompt'],
  ];

  test('every request about another user is a 403, whether they exist or not, and changes nothing', async () => {
    await zhangsan.put(mine('profile'), { username: 'zhangsan', bio: 'private' });
    const before = await rows();
    const visible = fc
      .stringMatching(/^[\p{L}\p{N}._@:~ -]{1,40}$/u)
      .filter((id) => !['me', 'lisi', '.', '..'].includes(id));
    const otherId = fc.oneof(fc.constant('zhangsan'), fc.constant('LISI'), fc.constant('lisi '), visible);
    await fc.assert(
      fc.asyncProperty(otherId, fc.constantFrom(...requests), async (userId, [method, resource, body]) => {
        const init = body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {};
        const response = await lisi.fetch(of(userId, resource), { method, ...init });
        const answer = await response.text();
        expect(response.status, answer).toBe(403);
        expect(JSON.parse(answer)).toMatchObject({ code: 'NOT_YOUR_DATA' });
        expect(answer).not.toContain('private');
      }),
      { numRuns: 60 },
    );
    expect(await rows()).toEqual(before);
  });

  test('what comes back is always of the one who asks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('a', 'b', 'c'), async (userId) => {
        const user = kith.as(userId);
        await user.put(mine('profile'), { username: userId });
        for (const resource of ['profile', 'context']) {
          expect((await user.get(mine(resource))).body).toMatchObject({ user_id: userId });
        }
      }),
      { numRuns: 10 },
    );
  });

  test('an administrator may see and change everyone', async () => {
    expect((await admin.put(of('zhangsan', 'profile'), { username: 'zhangsan' })).status).toBe(201);
    expect(await admin.get(of('zhangsan', 'context'))).toMatchObject({ status: 200, body: { user_id: 'zhangsan' } });
    expect((await admin.patch(of('zhangsan', 'settings'), { preferences: { country: 'US' } })).status).toBe(200);
    expect((await zhangsan.get(mine('settings'))).body).toMatchObject({ preferences: { country: 'US' } });
  });

  test('an id with something invisible in it is no id', async () => {
    for (const id of ['a\u0000', 'a\u202e', '\u200b', 'x'.repeat(129)]) {
      expect(await admin.put(of(id, 'profile'), { username: 'x' })).toMatchObject({ status: 400 });
    }
    expect(await rows()).toHaveLength(0);
  });
});

describe('settings', () => {
  test('are the defaults for someone without a profile, who does not get one by asking', async () => {
    const answer = await zhangsan.get(mine('settings'));
    expect(answer.status).toBe(200);
    expect(answer.read(ProfileSettings)).toMatchObject({ preferences: { ai_language: 'zh-CN', country: 'CN' } });
    expect(await rows()).toHaveLength(0);
  });

  test('are changed section by section; the first change makes a small profile', async () => {
    const first = await zhangsan.patch(mine('settings'), { preferences: { timezone: 'Europe/Paris' } });
    expect(first).toMatchObject({ status: 200, body: { version: 2, preferences: { timezone: 'Europe/Paris' } } });
    const second = await zhangsan.patch(mine('settings'), {
      preferences: { country: 'fr' },
      privacy: { memory_enabled: false },
    });
    expect(second.body).toMatchObject({
      preferences: { timezone: 'Europe/Paris', country: 'FR', ai_language: 'zh-CN' },
      privacy: { memory_enabled: false },
    });
    expect((await zhangsan.get(mine('settings'))).body).toEqual(second.body);
    expect((await zhangsan.get(mine('profile'))).body).toMatchObject({ username: 'zhangsan', settings: second.body });
  });

  test.each([
    [{ preferences: { timezone: 'CST' } }, 'preferences.timezone'],
    [{ preferences: { ai_language: 'zh_CN' } }, 'preferences.ai_language'],
    [{ preferences: { country: 'CHN' } }, 'preferences.country'],
    [{ preferences: { color: 'red' } }, 'preferences.color'],
    [{ version: 3 }, 'version'],
    [{ theme: 'dark' }, 'theme'],
    [[], 'settings'],
    [undefined, 'settings'],
  ])('%o is a 400 that names the field, and nothing is written', async (patch, field) => {
    const answer = await zhangsan.patch(mine('settings'), patch);
    expect(answer.status).toBe(400);
    expect(answer.read(Problem)).toMatchObject({ code: 'SETTINGS_INVALID', errors: [{ field }] });
    expect(await rows()).toHaveLength(0);
  });

  test('inside a profile are named from its top', async () => {
    const answer = await zhangsan.put(mine('profile'), {
      username: 'z',
      settings: { preferences: { timezone: 'CST' } },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'SETTINGS_INVALID', errors: [{ field: 'settings.preferences.timezone' }] },
    });
    expect(await rows()).toHaveLength(0);
  });
});

describe('the context', () => {
  test('of someone without a profile is anonymous', async () => {
    const answer = await zhangsan.get(mine('context'));
    expect(answer).toMatchObject({ status: 200, body: { user_id: 'zhangsan', is_anonymous: true } });
    expect((await zhangsan.get(mine('context/prompt'))).read(ContextPrompt).prompt).toContain('用户信息未配置');
  });

  test('holds the profile without the email', async () => {
    const profile = { username: 'zhangsan', display_name: '张三', email: 'z@example.com', department: '数据部' };
    await zhangsan.put(mine('profile'), profile);
    const context = (await zhangsan.get(mine('context'))).read(UserAgentContext);
    expect(context).toMatchObject({ user_id: 'zhangsan', display_name: '张三', department: '数据部' });
    const { prompt } = (await zhangsan.get(mine('context/prompt'))).read(ContextPrompt);
    expect(prompt).toContain('"display_name":"张三"');
    expect(JSON.stringify(context) + prompt).not.toContain('example.com');
  });

  test('becomes a prompt of the same shape, whatever people write into their profile', async () => {
    const around = async () => {
      const lines = (await zhangsan.get(mine('context/prompt'))).read(ContextPrompt).prompt.split('\n');
      const at = lines.indexOf('# USER_PROFILE (JSON)') + 1;
      return { line: lines[at] ?? '', rest: lines.toSpliced(at, 1) };
    };
    await zhangsan.put(mine('profile'), { username: 'z' });
    const { rest } = await around();
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, async (bio, custom) => {
        const body = { username: 'z', bio, custom_fields: { [custom]: custom } };
        expect((await zhangsan.put(mine('profile'), body)).status).toBe(200);
        const block = await around();
        expect(block.rest).toEqual(rest);
        expect(JSON.parse(block.line)).toMatchObject({ user_id: 'zhangsan', username: 'z' });
      }),
      { numRuns: 30, examples: [[megabyteOf('# '), 'x']] },
    );
  });
});

describe('the directory', () => {
  test('is for administrators', async () => {
    expect(await zhangsan.get('/api/v1/users')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  test('is searched and read page by page', async () => {
    for (const user of [zhangsan, lisi]) await user.patch(mine('settings'), {});
    const first = (await admin.get('/api/v1/users?limit=1')).read(UserPage);
    expect(first.users.map((user) => user.user_id)).toEqual(['lisi']);
    const second = (await admin.get(`/api/v1/users?limit=1&cursor=${first.next_cursor}`)).read(UserPage);
    expect(second).toMatchObject({ users: [{ user_id: 'zhangsan' }], next_cursor: null });
    expect((await admin.get('/api/v1/users?q=ZHANG')).read(UserPage).users).toHaveLength(1);
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=AAAA', 'order=asc']) {
      expect(await admin.get(`/api/v1/users?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'REQUEST_INVALID' },
      });
    }
  });

  test('tells callers who they are', async () => {
    expect((await zhangsan.get('/api/v1/users/me')).body).toEqual({
      user_id: 'zhangsan',
      role: 'user',
      has_profile: false,
    });
    await admin.put(mine('profile'), { username: 'root' });
    expect((await admin.get('/api/v1/users/me')).body).toEqual({ user_id: 'root', role: 'admin', has_profile: true });
  });
});

test('the routes stand in the API description', async () => {
  const { body } = await zhangsan.get('/openapi.json');
  expect(body).toMatchObject({
    paths: {
      '/api/v1/users/{user_id}/profile': { get: {}, put: {}, patch: {}, delete: {} },
      '/api/v1/users/{user_id}/settings': { get: {}, patch: {} },
      '/api/v1/users/{user_id}/context/prompt': { get: {} },
    },
  });
});
