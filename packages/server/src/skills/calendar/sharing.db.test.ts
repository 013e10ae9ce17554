import { CalendarEventList } from '@kith/protocol';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { createLog } from '../../observability/index.ts';
import { addContact } from '../contacts/contact-store.ts';
import { createSkills } from '../create-skills.ts';
import { callerFor, type Person } from '../test-caller.ts';
import { Created } from './inputs.ts';

const database = await testDatabase();
const skills = await createSkills({ config: { skills: { mcp: {} } }, log: createLog('silent') });
const call = callerFor(database, skills);

const zhang = { userId: 'zhangsan' };
const lilei = { userId: 'lilei', timezone: 'Europe/Berlin' };
const stranger = { userId: 'stranger' };
const contact = await addContact(database.sql, 'zhangsan', { name: '李雷', user_id: 'lilei' });
const outside = await addContact(database.sql, 'zhangsan', { name: 'Anna', email: 'anna@example.com' });
const self = await addContact(database.sql, 'zhangsan', { name: 'Me', user_id: 'zhangsan' });
const foreign = await addContact(database.sql, 'stranger', { name: 'Somebody', user_id: 'lilei' });

const review = { title: 'Review', start: '2026-11-16T15:00', end: '2026-11-16T16:00' };
const create = async (input: Parameters<typeof call>[2] = review) =>
  Created.parse((await call(zhang, 'calendar.create', input)).result).event_id;
const read = async (who: Person, event_id: string) => {
  const { result } = await call(who, 'calendar.read', { mode: 'event', event_id });
  return CalendarEventList.safeParse(result).data?.events[0];
};
const day = async (who: Person, date: string) => {
  const { result } = await call(who, 'calendar.read', { mode: 'day', date });
  return CalendarEventList.parse(result).events;
};

test('an invited contact sees the event in their own zone, with whose it is and what they answered', async () => {
  const event_id = await create();
  const shared = await call(zhang, 'calendar.share', {
    event_id,
    participants: [{ contact_id: contact.contact_id }, { contact_id: outside.contact_id, permission: 'edit' }],
  });
  expect(shared).toMatchObject({
    status: 'success',
    result: {
      event_id,
      status: 'shared',
      count: 2,
      participants: [
        { name: '李雷', status: 'invited', permission: 'view' },
        { name: 'Anna', status: 'invited', permission: 'edit' },
      ],
    },
  });
  const seen = await read(lilei, event_id);
  expect(seen).toMatchObject({
    start: '2026-11-16T08:00:00+01:00',
    organizer: 'zhangsan',
    my_status: 'invited',
    my_permission: 'view',
  });
  expect(await day(lilei, '2026-11-16')).toMatchObject([{ event_id, my_status: 'invited' }]);
  expect(await read(stranger, event_id)).toBeUndefined();
});

test('accepting and rejecting are the invited person’s own; the organizer sees them', async () => {
  const event_id = await create();
  await call(zhang, 'calendar.share', { event_id, participants: [{ user_id: 'lilei' }] });
  const accepted = await call(lilei, 'calendar.accept_invite', { event_id });
  expect(accepted.result).toEqual({ event_id, status: 'accepted' });
  expect((await read(zhang, event_id))?.participants).toMatchObject([{ name: '李雷', status: 'accepted' }]);
  await call(lilei, 'calendar.reject_invite', { event_id, reason: 'On a train' });
  expect((await read(zhang, event_id))?.participants).toMatchObject([{ status: 'rejected', reason: 'On a train' }]);
  expect((await day(lilei, '2026-11-16')).map((event) => event.event_id)).not.toContain(event_id);
  // They may think better of it, and the organizer may ask again.
  expect(await read(lilei, event_id)).toMatchObject({ my_status: 'rejected' });
  await call(zhang, 'calendar.share', { event_id, participants: [{ user_id: 'lilei' }] });
  expect(await read(lilei, event_id)).toMatchObject({ my_status: 'invited' });
  expect(await call(zhang, 'calendar.accept_invite', { event_id })).toMatchObject({ error: { code: 'NOT_INVITED' } });
});

test('whoever may view cannot change; whoever may edit can, but neither delete nor share', async () => {
  const event_id = await create();
  const allow = (permission: string) =>
    call(zhang, 'calendar.share', { event_id, participants: [{ user_id: 'lilei', permission }] });
  await allow('view');
  const change = () => call(lilei, 'calendar.update', { event_id, start: '2026-11-16T10:00' });
  expect(await change()).toMatchObject({ status: 'failure', error: { code: 'EVENT_NOT_EDITABLE' } });
  await allow('edit');
  expect(await change()).toMatchObject({ status: 'success' });
  expect(await read(zhang, event_id)).toMatchObject({ start: '2026-11-16T17:00:00+08:00' });
  expect(await call(lilei, 'calendar.delete', { event_id })).toMatchObject({ error: { code: 'EVENT_NOT_OWNED' } });
  const reshared = await call(lilei, 'calendar.share', { event_id, participants: [{ user_id: 'zhangsan' }] });
  expect(reshared).toMatchObject({ error: { code: 'EVENT_NOT_OWNED' } });
  await call(lilei, 'calendar.reject_invite', { event_id });
  expect(await change()).toMatchObject({ error: { code: 'EVENT_NOT_EDITABLE' } });
});

test('events are shared with contacts only: strangers, others’ contacts and oneself are refused by name', async () => {
  const event_id = await create();
  const cases: [Record<string, string>, string, string][] = [
    [{ user_id: 'stranger' }, 'CONTACT_NOT_FOUND', 'participants.0.user_id'],
    [{ contact_id: foreign.contact_id }, 'CONTACT_NOT_FOUND', 'participants.0.contact_id'],
    [{ contact_id: 'nobody' }, 'CONTACT_NOT_FOUND', 'participants.0.contact_id'],
    [{ contact_id: self.contact_id }, 'CONTACT_IS_SELF', 'participants.0.contact_id'],
    [{ contact_id: contact.contact_id, user_id: 'lilei' }, 'CONTACT_AMBIGUOUS', 'participants.0.contact_id'],
    [{ contact_id: contact.contact_id, role: 'x' }, 'INPUT_INVALID', 'participants.0.role'],
  ];
  for (const [invitee, code, field] of cases) {
    const output = await call(zhang, 'calendar.share', { event_id, participants: [invitee] });
    expect(output).toMatchObject({ status: 'failure', error: { code, field } });
  }
  expect((await read(zhang, event_id))?.participants).toBeUndefined();
  const mixed = await call(zhang, 'calendar.share', {
    event_id,
    participants: [{ user_id: 'stranger' }, { contact_id: contact.contact_id }],
  });
  expect(mixed).toMatchObject({
    status: 'partial',
    result: { count: 1, failed: [{ index: 0, error: { code: 'CONTACT_NOT_FOUND' } }] },
  });
  const created = await call(zhang, 'calendar.create', { ...review, participants: [{ user_id: 'stranger' }] });
  expect(created).toMatchObject({ error: { code: 'CONTACT_NOT_FOUND', field: 'participants.0.user_id' } });
});

test('an invitation to one occurrence opens that one and no other', async () => {
  const series = await create({
    ...review,
    start: '2027-01-04T10:00',
    end: '2027-01-04T11:00',
    recurrence: 'FREQ=WEEKLY',
  });
  const second = `${series}_20270111T020000Z`;
  const shared = await call(zhang, 'calendar.share', {
    event_id: second,
    participants: [{ user_id: 'lilei', permission: 'edit' }],
  });
  expect(shared.result).toMatchObject({ event_id: second });
  expect(await day(lilei, '2027-01-11')).toMatchObject([{ event_id: second, my_status: 'invited' }]);
  expect(await day(lilei, '2027-01-04')).toEqual([]);
  expect(await read(lilei, series)).toBeUndefined();
  expect(await read(lilei, `${series}_20270118T020000Z`)).toBeUndefined();
  expect(await call(lilei, 'calendar.update', { event_id: second, title: 'x', scope: 'all' })).toMatchObject({
    error: { code: 'SCOPE_NOT_SHARED' },
  });
  expect(await call(lilei, 'calendar.update', { event_id: second, title: 'Renamed' })).toMatchObject({
    status: 'success',
  });
  expect(await read(zhang, second)).toMatchObject({ title: 'Renamed', participants: [{ name: '李雷' }] });
  expect(await call(lilei, 'calendar.accept_invite', { event_id: second })).toMatchObject({
    result: { event_id: second, status: 'accepted' },
  });
});

test('an invitation to a series is answered once, for all of it', async () => {
  const series = await create({
    ...review,
    start: '2027-02-01T10:00',
    end: '2027-02-01T11:00',
    recurrence: 'FREQ=WEEKLY',
  });
  await call(zhang, 'calendar.share', { event_id: series, participants: [{ user_id: 'lilei' }] });
  const answered = await call(lilei, 'calendar.accept_invite', { event_id: `${series}_20270208T020000Z` });
  expect(answered.result).toEqual({ event_id: series, status: 'accepted' });
  expect(await day(lilei, '2027-02-15')).toMatchObject([{ series_id: series, my_status: 'accepted' }]);
  // The half of a split series keeps its guests.
  await call(zhang, 'calendar.update', { event_id: `${series}_20270215T020000Z`, title: 'New', scope: 'following' });
  expect(await day(lilei, '2027-02-15')).toMatchObject([{ title: 'New', my_status: 'accepted' }]);
});

test('an event made with participants invites them', async () => {
  const event_id = await create({ ...review, participants: [{ contact_id: contact.contact_id }] });
  expect(await read(lilei, event_id)).toMatchObject({ my_status: 'invited' });
});
