import { CalendarEventList, Contact, ContactList, Problem, SkillList } from '@kith/protocol';
import { describe, expect, test } from 'vitest';
import { testKith } from '../../../test/kith.ts';

const kith = await testKith();
const zhangsan = kith.as('zhangsan');
const lisi = kith.as('lisi');
const base = '/api/v1/contacts';

describe('contacts', () => {
  test('are added, found by pinyin, changed and removed', async () => {
    const added = await zhangsan.post(base, { name: '李雷', department: '研发部', user_id: 'lilei' });
    expect(added.status).toBe(201);
    const contact = added.read(Contact);
    expect(contact).toMatchObject({ name: '李雷', department: '研发部', email: null, user_id: 'lilei' });
    const at = `${base}/${contact.contact_id}`;
    expect((await zhangsan.get(at)).body).toEqual(contact);
    expect((await zhangsan.get(`${base}?query=lilei`)).read(ContactList)).toEqual({ count: 1, contacts: [contact] });
    const changed = await zhangsan.patch(at, { email: 'lei@example.com', department: null });
    expect(changed.read(Contact)).toMatchObject({ name: '李雷', email: 'lei@example.com', department: null });
    expect((await zhangsan.delete(at)).status).toBe(204);
    expect(await zhangsan.get(at)).toMatchObject({ status: 404, body: { code: 'CONTACT_NOT_FOUND' } });
    expect((await zhangsan.delete(at)).status).toBe(404);
  });

  test('of somebody else are not there', async () => {
    const { contact_id } = (await zhangsan.post(base, { name: '韩梅梅' })).read(Contact);
    expect((await lisi.get(base)).read(ContactList).count).toBe(0);
    for (const answer of [
      await lisi.get(`${base}/${contact_id}`),
      await lisi.patch(`${base}/${contact_id}`, { name: 'x' }),
      await lisi.delete(`${base}/${contact_id}`),
      await lisi.get(`${base}/not-an-id`),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'CONTACT_NOT_FOUND' } });
    }
    expect((await zhangsan.get(`${base}/${contact_id}`)).status).toBe(200);
  });

  test.each([
    [{}, 'name'],
    [{ name: '  ' }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ name: 'x', email: 'nobody' }, 'email'],
    [{ name: 'x', colour: 'red' }, 'colour'],
  ])('%j is refused by its field', async (body, field) => {
    const answer = await zhangsan.post(base, body);
    expect(answer.status).toBe(400);
    expect(answer.read(Problem).errors).toMatchObject([{ field }]);
  });
});

describe('the calendar', () => {
  const events = '/api/v1/calendar/events';

  test('shows what is between two dates, in the caller’s zone, and nobody else’s', async () => {
    await zhangsan.put('/api/v1/users/me/profile', {
      username: 'zhangsan',
      settings: { version: 2, preferences: { timezone: 'America/New_York' } },
    });
    await kith.database.sql.begin((sql) =>
      kith.rooms.skills.call(
        {
          module: 'calendar',
          method: 'create',
          input: { title: 'Call', start: '2026-11-16T09:00', end: '2026-11-16T10:00' },
        },
        {
          userId: 'zhangsan',
          user: { user_id: 'zhangsan', is_anonymous: true },
          sessionId: null,
          runId: null,
          now: new Date(),
          timezone: 'America/New_York',
          language: 'en',
          sql,
          idempotencyKey: 'x',
          signal: new AbortController().signal,
        },
      ),
    );
    const answer = await zhangsan.get(`${events}?from=2026-11-16&to=2026-11-16`);
    expect(answer.read(CalendarEventList)).toMatchObject({
      count: 1,
      events: [{ title: 'Call', start: '2026-11-16T09:00:00-05:00' }],
    });
    expect((await lisi.get(`${events}?from=2026-11-01&to=2026-11-30`)).read(CalendarEventList).count).toBe(0);
  });

  test.each([
    ['', 'from'],
    ['?from=2026-11-16', 'to'],
    ['?from=soon&to=2026-11-16', 'from'],
    ['?from=2026-11-16&to=2026-11-15', 'to'],
    ['?from=2026-11-16&to=2036-11-16', 'to'],
  ])('asked for %j names the field', async (query, field) => {
    const answer = await zhangsan.get(events + query);
    expect(answer.status).toBe(400);
    expect(answer.read(Problem).errors?.[0]?.field).toContain(field);
  });
});

describe('skills', () => {
  test('are listed with their methods, names and cards', async () => {
    const { skills } = (await zhangsan.get('/api/v1/skills')).read(SkillList);
    expect(skills.map(({ module }) => module)).toEqual(['calendar', 'contacts', 'memory', 'files']);
    expect(skills[0]?.methods[0]).toMatchObject({
      method: 'read',
      name: { zh: '读取日程', en: 'Read calendar' },
      approval: false,
      effect: 'read',
    });
    expect((await zhangsan.get('/api/v1/skills/calendar')).body).toEqual(skills[0]);
    expect(await zhangsan.get('/api/v1/skills/weather')).toMatchObject({
      status: 404,
      body: { code: 'SKILL_NOT_FOUND' },
    });
  });
});
