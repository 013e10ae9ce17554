import type { InviteStatus, SharePermission } from '@kith/protocol';
import type { Transaction } from '../../db/index.ts';
import { SkillFailure } from '../failures.ts';
import type { Invitee } from './inputs.ts';

/** Somebody of the user's contacts who is to be invited. */
export interface Guest {
  participant: string;
  userId: string | null;
  contactId: string;
  name: string;
  permission: SharePermission;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Events are shared with people whom the user knows, and with nobody else. Throws with the field that names a stranger. */
export async function findGuest(sql: Transaction, userId: string, invitee: Invitee): Promise<Guest> {
  const { contact_id: contactId, user_id: guestUserId, permission = 'view' } = invitee;
  if ((contactId === undefined) === (guestUserId === undefined))
    throw new SkillFailure('CONTACT_AMBIGUOUS', 'contact_id');
  const field = contactId === undefined ? 'user_id' : 'contact_id';
  if (contactId !== undefined && !UUID.test(contactId)) throw new SkillFailure('CONTACT_NOT_FOUND', field);
  const [contact] = await sql<{ id: string; contact_user_id: string | null; name: string }[]>`
    select id, contact_user_id, name from contacts
    where user_id = ${userId}
      and ${contactId === undefined ? sql`contact_user_id = ${guestUserId ?? ''}` : sql`id = ${contactId}`}
    order by created_at limit 1`;
  if (!contact) throw new SkillFailure('CONTACT_NOT_FOUND', field);
  if (contact.contact_user_id === userId) throw new SkillFailure('CONTACT_IS_SELF', field);
  return {
    participant: contact.contact_user_id ? `user:${contact.contact_user_id}` : `contact:${contact.id}`,
    userId: contact.contact_user_id,
    contactId: contact.id,
    name: contact.name,
    permission,
  };
}

/** Invites them, or changes what they may do. Whoever had rejected is asked again. */
export async function inviteGuest(
  sql: Transaction,
  eventId: string,
  guest: Guest,
): Promise<{ name: string; status: InviteStatus; permission: SharePermission }> {
  const [row] = await sql<{ name: string; status: InviteStatus; permission: SharePermission }[]>`
    insert into calendar_participants (event_id, participant, user_id, contact_id, name, permission)
    values (${eventId}, ${guest.participant}, ${guest.userId}, ${guest.contactId}, ${guest.name}, ${guest.permission})
    on conflict (event_id, participant) do update set name = excluded.name, permission = excluded.permission,
      status = case calendar_participants.status when 'rejected' then 'invited' else calendar_participants.status end,
      updated_at = now()
    returning name, status, permission`;
  if (!row) throw new Error('insert gave no row');
  return row;
}

export async function answerInvitation(
  sql: Transaction,
  userId: string,
  eventId: string,
  status: InviteStatus,
  reason: string | null,
): Promise<void> {
  await sql`
    update calendar_participants set status = ${status}, reason = ${reason}, updated_at = now()
    where event_id = ${eventId} and user_id = ${userId}`;
}
