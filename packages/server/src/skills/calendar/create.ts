import { SkillFailure } from '../failures.ts';
import { readInput } from '../input.ts';
import { done, failed } from '../output.ts';
import type { SkillContext, SkillMethod } from '../port.ts';
import { inLanguage } from '../words.ts';
import { countSeries, insertEvent } from './changes.ts';
import { conflictsOf } from './conflicts.ts';
import { findGuest, inviteGuest } from './guests.ts';
import { conflictNote, eventCard, listCard } from './hints.ts';
import { Created, CreatedBatch, CreateInput, EventInput } from './inputs.ts';
import { begin } from './recurrence.ts';
import { readSpan } from './span.ts';
import { entryOfTarget, findTarget } from './target.ts';
import { spanInWords } from './time-words.ts';
import { toEvents } from './wire-event.ts';

const MOST_SERIES = 200;

export const createEvents: SkillMethod<CreateInput> = {
  module: 'calendar',
  method: 'create',
  effect: 'transactional',
  idempotent: false,
  approval: false,
  input: CreateInput,
  run: (input, context) => ('events' in input ? createBatch(input.events, context) : createOne(input, context)),
};

async function createOne(input: EventInput, context: SkillContext) {
  const created = await create(input, context);
  const event = await shown(created.event_id, context);
  const title = inLanguage({ zh: '已创建日程', en: 'Event created' }, context.language);
  const note = conflictNote(created.conflicts, context);
  return done(Created, created, {
    summary: [`${title}: ${event.title} (${spanInWords(event, context)})`, note].filter(Boolean).join('. '),
    hints: eventCard(title, event, context, note),
  });
}

/** Checks everything before it writes anything: an event that fails leaves no trace beside the others. */
async function create(input: EventInput, context: SkillContext): Promise<Created> {
  const { sql, userId, timezone } = context;
  const given = readSpan({ ...input, all_day: input.all_day ?? undefined }, timezone);
  const series = input.recurrence ? begin(input.recurrence, given, timezone) : undefined;
  if (series && (await countSeries(sql, userId)) >= MOST_SERIES) {
    throw new SkillFailure('TOO_MANY_SERIES', 'recurrence', { limit: MOST_SERIES });
  }
  const guests = [];
  for (const [index, invitee] of (input.participants ?? []).entries()) {
    guests.push(await findGuest(sql, userId, invitee).catch(inside(`participants.${index}`)));
  }
  const span = series?.span ?? given;
  const fields = { title: input.title, location: input.location ?? null, description: input.description || null };
  const id = await insertEvent(sql, userId, fields, { span, timezone, recurrence: series?.recurrence ?? null });
  for (const guest of guests) await inviteGuest(sql, id, guest);
  const conflicts = await conflictsOf(sql, userId, timezone, { span, series, except: id });
  return { event_id: id, status: 'created', conflicts };
}

export const inside = (prefix: string) => (error: unknown) => {
  throw error instanceof SkillFailure ? error.within(prefix) : error;
};

async function createBatch(inputs: readonly unknown[], context: SkillContext) {
  const { language } = context;
  const events: CreatedBatch['events'] = [];
  for (const [index, raw] of inputs.entries()) {
    try {
      events.push({ index, ...(await create(readInput(EventInput, raw, language), context)) });
    } catch (error) {
      if (!(error instanceof SkillFailure)) throw error;
      events.push({ index, status: 'failed', error: error.within(`events.${index}`).toToolError(language) });
    }
  }
  const created = events.flatMap((event) => (event.status === 'created' ? [event] : []));
  const lost = events.flatMap((event) => (event.status === 'failed' ? [event.error] : []));
  const [first] = lost;
  if (first && created.length === 0) return failed(first);
  const title = inLanguage(
    { zh: `已创建 ${created.length} 个日程`, en: `${created.length} event(s) created` },
    language,
  );
  const missing = inLanguage({ zh: `${lost.length} 个失败`, en: `${lost.length} failed` }, language);
  const shownEvents = await Promise.all(created.map(({ event_id }) => shown(event_id, context)));
  return done(
    CreatedBatch,
    { count: created.length, failed: lost.length, events },
    {
      summary: lost.length > 0 ? `${title}, ${missing}` : title,
      hints: listCard(title, shownEvents, context),
      partial: lost.length > 0,
    },
  );
}

async function shown(eventId: string, { sql, userId, timezone }: SkillContext) {
  const target = await findTarget(sql, userId, eventId, { lock: false });
  const [event] = await toEvents(sql, [entryOfTarget(target)], timezone, 'full');
  if (!event) throw new Error('an event just written is not there');
  return event;
}
