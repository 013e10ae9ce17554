import type { Transaction } from '../../db/index.ts';
import { SkillFailure } from '../failures.ts';
import { type Entry, entryOf, originalStart } from './agenda.ts';
import { readEventId } from './event-id.ts';
import type { Scope } from './inputs.ts';
import { hasOccurrence, type Series } from './recurrence.ts';
import {
  type EventRow,
  findBase,
  findOverride,
  type Invitation,
  invitationsOf,
  type SeenRow,
  seriesOf,
} from './rows.ts';
import { fromColumns, localStart, type Span, withStart } from './span.ts';

/** What an event_id names, and what this user may do with it. */
export interface Target {
  /** The event, or the series. */
  base: EventRow;
  series: Series | undefined;
  /** When the id names one occurrence: as the rule gives it, and what it was changed to, if it was. */
  occurrence: { original: Span; override: EventRow | undefined } | undefined;
  isOwner: boolean;
  /** Somebody may be invited to a series, or to one occurrence of it. */
  invitations: { base?: Invitation; occurrence?: Invitation };
  organizer: string;
}

/** Finds it, or fails as if it were not there: nobody learns that others' events exist. */
export async function findTarget(
  sql: Transaction,
  userId: string,
  eventId: string,
  options: { lock: boolean },
): Promise<Target> {
  const notFound = new SkillFailure('EVENT_NOT_FOUND', 'event_id');
  const named = readEventId(eventId);
  const base = named && (await findBase(sql, userId, named.id, options.lock));
  if (!base) throw notFound;
  const series = seriesOf(base);
  const occurrence = named.occurrence ? await findOccurrence(sql, base, series, named.occurrence) : undefined;
  if (named.occurrence && !occurrence) throw notFound;
  const override = occurrence?.override;
  const received = await invitationsOf(sql, userId, override ? [base.id, override.id] : [base.id]);
  const invitations = Object.fromEntries(
    received.map((invitation) => [invitation.event_id === base.id ? 'base' : 'occurrence', invitation]),
  );
  const isOwner = base.user_id === userId;
  if (!isOwner && received.length === 0) throw notFound;
  return { base, series, occurrence, isOwner, invitations, organizer: base.organizer };
}

/** What counts for the thing that the id names: an answer to one occurrence before the answer to the series. */
export const invitationTo = ({ invitations }: Target): Invitation | undefined =>
  invitations.occurrence ?? invitations.base;

async function findOccurrence(sql: Transaction, base: EventRow, series: Series | undefined, start: Span['start']) {
  if (!series) return undefined;
  const original = withStart(series.span, start);
  if (!original) return undefined;
  const override = await findOverride(sql, base.id, originalStart(original, base.timezone));
  if (override ? override.canceled : !hasOccurrence(series, start)) return undefined;
  return { original, override };
}

/** The thing itself, as it stands now. */
export function entryOfTarget(target: Target): Entry {
  const { base, occurrence, isOwner, organizer } = target;
  const invitation = invitationTo(target);
  const seen = {
    my_status: invitation?.status ?? null,
    my_permission: invitation?.permission ?? null,
    organizer: isOwner ? null : organizer,
  };
  if (!occurrence) return { eventId: base.id, row: { ...base, ...seen }, span: fromColumns(base) };
  const row: SeenRow = { ...base, ...asOccurrence(base, occurrence.original), ...occurrence.override, ...seen };
  const entry = entryOf(row);
  return { ...entry, span: occurrence.override ? entry.span : occurrence.original };
}

/** What makes a copy of a series' row one of its occurrences. */
export function asOccurrence(base: EventRow, original: Span) {
  return {
    series_id: base.id,
    original_start: originalStart(original, base.timezone),
    series_all_day: base.all_day,
  };
}

/** Checks that the user may change this much of it. */
export function requireEditor({ isOwner, invitations }: Target, scope: Scope | undefined): void {
  if (isOwner) return;
  const invitation = scope === 'this' ? (invitations.occurrence ?? invitations.base) : invitations.base;
  if (!invitation) throw new SkillFailure('SCOPE_NOT_SHARED', 'scope');
  if (invitation.permission !== 'edit' || invitation.status === 'rejected') {
    throw new SkillFailure('EVENT_NOT_EDITABLE', 'event_id');
  }
}

export function requireOwner({ isOwner }: Target): void {
  if (!isOwner) throw new SkillFailure('EVENT_NOT_OWNED', 'event_id');
}

/** How much of a series a change is about. The id of an occurrence means that one, the id of a series all of it. */
export function scopeOf(target: Target, asked: Scope | undefined): Scope | undefined {
  const { base, series, occurrence } = target;
  if (!series) {
    if (asked && asked !== 'all') throw new SkillFailure('SCOPE_NEEDS_SERIES', 'scope');
    return undefined;
  }
  const scope = asked ?? (occurrence ? 'this' : 'all');
  if (scope !== 'all' && !occurrence) throw new SkillFailure('SCOPE_NEEDS_OCCURRENCE', 'event_id');
  // From the first occurrence on is all of it.
  const isFirst = occurrence && localStart(occurrence.original, 'UTC').equals(localStart(fromColumns(base), 'UTC'));
  return scope === 'following' && isFirst ? 'all' : scope;
}
