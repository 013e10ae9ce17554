import type { Temporal } from 'temporal-polyfill';
import { SkillFailure } from '../failures.ts';
import { done } from '../output.ts';
import type { SkillContext, SkillMethod } from '../port.ts';
import { inLanguage } from '../words.ts';
import {
  carryOverrides,
  type EventFields,
  rewriteEvent,
  setRecurrence,
  splitSeries,
  writeOverride,
} from './changes.ts';
import { conflictsOf } from './conflicts.ts';
import { writeEventId } from './event-id.ts';
import { conflictNote, eventCard } from './hints.ts';
import { type Scope, Updated, UpdateInput } from './inputs.ts';
import { begin, endBefore, move, type Series } from './recurrence.ts';
import type { EventRow } from './rows.ts';
import { isDate, localStart, readSpan, type Span, toWire, withLocalStart, withStart } from './span.ts';
import { entryOfTarget, findTarget, requireEditor, scopeOf, type Target } from './target.ts';
import { spanInWords } from './time-words.ts';
import { toEvents } from './wire-event.ts';

export const updateEvent: SkillMethod<UpdateInput> = {
  module: 'calendar',
  method: 'update',
  effect: 'transactional',
  idempotent: true,
  approval: false,
  input: UpdateInput,
  async run(input, context) {
    const { sql, userId, timezone, language } = context;
    const target = await findTarget(sql, userId, input.event_id, { lock: true });
    const scope = scopeOf(target, input.scope);
    requireEditor(target, scope);
    if (!changesAnything(input)) throw new SkillFailure('NOTHING_TO_CHANGE');
    const eventId = await apply(target, scope, input, timezone, context);
    const changed = await findTarget(sql, userId, eventId, { lock: false });
    const entry = entryOfTarget(changed);
    const conflicts = await conflictsOf(sql, userId, timezone, {
      span: entry.span,
      series: changed.occurrence ? undefined : changed.series,
      except: changed.base.id,
    });
    const [event] = await toEvents(sql, [entry], timezone, 'full');
    if (!event) throw new Error('an event just written is not there');
    const title = inLanguage({ zh: '已更新日程', en: 'Event updated' }, language);
    const note = conflictNote(conflicts, context);
    return done(
      Updated,
      { event_id: eventId, status: 'updated', ...(scope ? { scope } : {}), conflicts },
      {
        summary: [`${title}: ${event.title} (${spanInWords(event, context)})`, note].filter(Boolean).join('. '),
        hints: eventCard(title, event, context, note),
      },
    );
  },
};

const changesAnything = ({ event_id: _, scope: __, ...changes }: UpdateInput): boolean =>
  Object.values(changes).some((value) => value !== undefined);

/** Makes the change and gives the id under which the changed thing is found. */
async function apply(
  target: Target,
  scope: Scope | undefined,
  input: UpdateInput,
  zone: string,
  { sql }: SkillContext,
): Promise<string> {
  const { base, series, occurrence } = target;
  const current = entryOfTarget(target);
  const span = changedSpan(current.span, input, zone);
  const fields = changedFields(input);
  if (!series) {
    const next = input.recurrence ? begin(input.recurrence, span ?? current.span, base.timezone) : undefined;
    const when = { span: next?.span ?? span ?? current.span, recurrence: next?.recurrence ?? null };
    await rewriteEvent(sql, base, { ...base, ...fields }, when);
    return base.id;
  }
  if (scope === 'this' && occurrence) {
    if (input.recurrence !== undefined) throw new SkillFailure('RECURRENCE_NEEDS_SERIES', 'recurrence');
    const next = { fields: { ...current.row, ...fields }, span: span ?? current.span, canceled: false };
    await writeOverride(sql, base, occurrence.original, next);
    return writeEventId({ id: base.id, occurrence: occurrence.original.start });
  }
  const reference = occurrence?.original ?? series.span;
  const change = { fields, span, recurrence: input.recurrence };
  if (scope !== 'following' || !occurrence) return changeSeries(base, series, reference, change, sql);
  const tail = await splitSeries(sql, base, reference, series.recurrence);
  await setRecurrence(sql, base, endBefore(series, reference.start).recurrence);
  return changeSeries(tail, { ...series, span: reference }, reference, change, sql);
}

function changedFields({ title, location, description }: UpdateInput): Partial<EventFields> {
  return {
    ...(title === undefined ? {} : { title }),
    ...(location === undefined ? {} : { location }),
    ...(description === undefined ? {} : { description: description || null }),
  };
}

/** The whole series: `span` is where the occurrence `reference` goes, and all others go with it. */
async function changeSeries(
  base: EventRow,
  series: Series,
  reference: Span,
  change: { fields: Partial<EventFields>; span: Span | undefined; recurrence: string | null | undefined },
  sql: SkillContext['sql'],
): Promise<string> {
  const by = change.span && shift(reference, change.span, series.timezone);
  const next = nextSeries(series, change, by);
  const span = next?.span ?? (change.span && by ? movedSpan(series, by, change.span) : series.span);
  await rewriteEvent(sql, base, { ...base, ...change.fields }, { span, recurrence: next?.recurrence ?? null });
  const moved = change.span ? reference : undefined;
  await carryOverrides(sql, base, { fields: change.fields, series: next, by, moved });
  return base.id;
}

function nextSeries(
  series: Series,
  change: { span: Span | undefined; recurrence: string | null | undefined },
  by: Temporal.Duration | undefined,
): Series | undefined {
  if (change.recurrence === null) return undefined;
  if (change.recurrence !== undefined) {
    const span = change.span && by ? movedSpan(series, by, change.span) : series.span;
    return begin(change.recurrence, span, series.timezone);
  }
  return change.span && by ? move(series, by, change.span) : series;
}

const shift = (from: Span, to: Span, zone: string): Temporal.Duration =>
  localStart(from, zone).until(localStart(to, zone));
const movedSpan = (series: Series, by: Temporal.Duration, shape: Span): Span =>
  withLocalStart(shape, localStart(series.span, series.timezone).add(by), series.timezone);

/** A start alone keeps the length; an end alone keeps the start. */
function changedSpan(current: Span, input: UpdateInput, zone: string): Span | undefined {
  if (input.start === undefined && input.end === undefined && input.all_day === undefined) return undefined;
  const known = toWire(current, zone);
  const start = input.start ?? known.start;
  const all_day = input.all_day ?? isDate(start);
  if (input.end !== undefined || input.start === undefined) {
    return readSpan({ start, end: input.end ?? known.end, all_day }, zone);
  }
  const moved = withStart(current, readSpan({ start, end: start, all_day }, zone).start);
  if (!moved) throw new SkillFailure('END_MISSING', 'end');
  return moved;
}
