import type { Transaction } from '../../db/index.ts';
import { SkillFailure } from '../failures.ts';
import { done } from '../output.ts';
import type { SkillMethod } from '../port.ts';
import { inLanguage } from '../words.ts';
import { writeOverride } from './changes.ts';
import { inside } from './create.ts';
import { answerInvitation, findGuest, inviteGuest } from './guests.ts';
import { eventCard } from './hints.ts';
import { Answered, AnswerInput, Shared, ShareInput } from './inputs.ts';
import { entryOfTarget, findTarget, invitationTo, requireOwner, type Target } from './target.ts';
import { toEvents } from './wire-event.ts';

/** Invites contacts. The id of a series invites to all of it, the id of an occurrence to that one. */
export const shareEvent: SkillMethod<ShareInput> = {
  module: 'calendar',
  method: 'share',
  effect: 'transactional',
  idempotent: true,
  approval: true,
  input: ShareInput,
  async run(input, context) {
    const { sql, userId, timezone, language } = context;
    const target = await findTarget(sql, userId, input.event_id, { lock: true });
    requireOwner(target);
    const participants = [];
    const strangers = [];
    for (const [index, invitee] of input.participants.entries()) {
      try {
        const guest = await findGuest(sql, userId, invitee).catch(inside(`participants.${index}`));
        participants.push(await inviteGuest(sql, await rowToShare(sql, target), guest));
      } catch (error) {
        if (!(error instanceof SkillFailure)) throw error;
        strangers.push({ index, error });
      }
    }
    if (strangers[0] && participants.length === 0) throw strangers[0].error;
    const entry = entryOfTarget(await findTarget(sql, userId, input.event_id, { lock: false }));
    const [event] = await toEvents(sql, [entry], timezone, 'full');
    const names = participants.map(({ name }) => name).join(', ');
    const title = inLanguage({ zh: `已邀请 ${names}`, en: `Invited ${names}` }, language);
    const failed = strangers.map(({ index, error }) => ({ index, error: error.toToolError(language) }));
    return done(
      Shared,
      {
        event_id: entry.eventId,
        status: 'shared',
        count: participants.length,
        participants,
        ...(failed.length > 0 ? { failed } : {}),
      },
      {
        summary: `${title}: ${entry.row.title}`,
        partial: failed.length > 0,
        ...(event ? { hints: eventCard(title, event, context) } : {}),
      },
    );
  },
};

/** An occurrence gets a row of its own when it gets guests of its own. */
async function rowToShare(sql: Transaction, target: Target): Promise<string> {
  const { base, occurrence } = target;
  if (!occurrence) return base.id;
  if (occurrence.override) return occurrence.override.id;
  const { row, span } = entryOfTarget(target);
  return writeOverride(sql, base, occurrence.original, { fields: row, span, canceled: false });
}

const answer = (method: string, status: 'accepted' | 'rejected', words: { zh: string; en: string }) =>
  ({
    module: 'calendar',
    method,
    effect: 'transactional',
    idempotent: true,
    approval: false,
    input: AnswerInput,
    async run(input, context) {
      const { sql, userId, timezone, language } = context;
      const target = await findTarget(sql, userId, input.event_id, { lock: true });
      const invitation = invitationTo(target);
      if (!invitation) throw new SkillFailure('NOT_INVITED', 'event_id');
      await answerInvitation(sql, userId, invitation.event_id, status, input.reason ?? null);
      const entry = entryOfTarget(await findTarget(sql, userId, input.event_id, { lock: false }));
      const [event] = await toEvents(sql, [entry], timezone, 'list');
      const title = inLanguage(words, language);
      return done(
        Answered,
        { event_id: invitation === target.invitations.base ? target.base.id : entry.eventId, status },
        { summary: `${title}: ${entry.row.title}`, ...(event ? { hints: eventCard(title, event, context) } : {}) },
      );
    },
  }) satisfies SkillMethod<AnswerInput>;

export const acceptInvite = answer('accept_invite', 'accepted', { zh: '已接受邀请', en: 'Invitation accepted' });
export const rejectInvite = answer('reject_invite', 'rejected', { zh: '已拒绝邀请', en: 'Invitation declined' });
