import type { Transaction } from '../../db/index.ts';
import { done } from '../output.ts';
import type { SkillMethod } from '../port.ts';
import { inLanguage } from '../words.ts';
import { deleteEvent, deleteOverridesFrom, setRecurrence, writeOverride } from './changes.ts';
import { eventCard } from './hints.ts';
import { Deleted, DeleteInput, type Scope } from './inputs.ts';
import { endBefore } from './recurrence.ts';
import { entryOfTarget, findTarget, requireOwner, scopeOf, type Target } from './target.ts';
import { spanInWords } from './time-words.ts';
import { toEvents } from './wire-event.ts';

export const removeEvent: SkillMethod<DeleteInput> = {
  module: 'calendar',
  method: 'delete',
  effect: 'transactional',
  idempotent: true,
  approval: true,
  input: DeleteInput,
  async run(input, context) {
    const { sql, userId, timezone, language } = context;
    const target = await findTarget(sql, userId, input.event_id, { lock: true });
    requireOwner(target);
    const scope = scopeOf(target, input.scope);
    const entry = entryOfTarget(target);
    const [event] = await toEvents(sql, [entry], timezone, 'list');
    await remove(sql, target, scope);
    const title = inLanguage({ zh: '已删除日程', en: 'Event deleted' }, language);
    return done(
      Deleted,
      { event_id: entry.eventId, status: 'deleted', ...(scope ? { scope } : {}) },
      event
        ? {
            summary: `${title}: ${event.title} (${spanInWords(event, context)})`,
            hints: eventCard(title, event, context),
          }
        : { summary: title },
    );
  },
};

async function remove(sql: Transaction, target: Target, scope: Scope | undefined): Promise<void> {
  const { base, series, occurrence } = target;
  if (!series || !occurrence || scope === 'all') return deleteEvent(sql, base.user_id, base.id);
  const { original } = occurrence;
  if (scope === 'following') {
    await deleteOverridesFrom(sql, base, original);
    return setRecurrence(sql, base, endBefore(series, original.start).recurrence);
  }
  const { row, span } = entryOfTarget(target);
  await writeOverride(sql, base, original, { fields: row, span, canceled: true });
}
