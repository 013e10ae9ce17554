import { randomUUID } from 'node:crypto';
import type { MemoryKind, MemoryOrigin, StoredMemoryKind } from '@kith/protocol';
import type { Transaction } from '../db/index.ts';
import { asksToForget } from './learning-gate.ts';
import { cut, fingerprintOf, storable } from './text.ts';
import { tokensOf } from './tokens.ts';

/** Writes memories. Facts are appended and superseded, never rewritten; every write raises the user's version. */

export interface Statement {
  kind: MemoryKind;
  content: string;
  supersedes?: string | null | undefined;
}

/** Verbatim, up to this many code points on each side: a pasted book is not a memory. */
const LONGEST_SIDE = 4000;

/** Tokens hold no spaces: one string of them is a third of the size of an array. */
const termsOf = (text: string): string => tokensOf(text).join(' ');

/** Keeps statements; gives for each of them (empty ones aside) the id that stands for it now, and whether it is new. */
export async function keepStatements(
  sql: Transaction,
  userId: string,
  statements: readonly Statement[],
  source: MemoryOrigin,
): Promise<{ id: string; isNew: boolean }[]> {
  const clean = statements
    .map((statement) => ({ ...statement, content: storable(statement.content).trim() }))
    .filter((statement) => statement.content !== '')
    .map((statement) => ({ ...statement, fingerprint: fingerprintOf(statement.content) }));
  if (clean.length === 0) return [];
  // Takes the user's row first: two runs that learn the same at the same time do it one after the other.
  const revision = await raiseVersion(sql, userId);
  const known = await liveByFingerprint(sql, userId, clean);
  const heads = await liveHeads(sql, userId, clean);
  const kept = clean.map((statement) => {
    const same = known.get(statement.fingerprint);
    const head = statement.supersedes ? heads.get(statement.supersedes) : undefined;
    // Whoever corrects a memory means it, be it only the spelling or the kind that changes.
    const isRewording =
      same && same.id === head && (same.kind !== statement.kind || same.content !== statement.content);
    const isNew = !same || isRewording === true;
    const id = isNew ? randomUUID() : same.id;
    known.set(statement.fingerprint, { id, kind: statement.kind, content: statement.content });
    return { ...statement, id, isNew, head };
  });
  const fresh = kept.filter(({ isNew }) => isNew);
  await insert(
    sql,
    userId,
    revision,
    fresh.map(({ id, kind, content, fingerprint }) => ({
      id,
      kind,
      content,
      fingerprint,
      terms: termsOf(content),
      context: '',
      context_terms: '',
      source,
    })),
  );
  await confirm(
    sql,
    userId,
    kept.filter(({ isNew }) => !isNew).map(({ id }) => id),
  );
  for (const { id, head } of kept) {
    if (head && head !== id) await supersede(sql, userId, revision, head, id);
  }
  return kept.map(({ id, isNew }) => ({ id, isNew }));
}

export async function keepVerbatim(
  sql: Transaction,
  userId: string,
  turn: { prompt: string; answer: string; previous: string },
  source: MemoryOrigin,
): Promise<void> {
  // Whoever asks to forget something has to name it: that is not remembered either.
  if (asksToForget(turn.prompt)) return;
  const [prompt, answer, previous] = [turn.prompt, turn.answer, asksToForget(turn.previous) ? '' : turn.previous].map(
    (text) => cut(storable(text).trim(), LONGEST_SIDE),
  );
  const row = {
    id: randomUUID(),
    kind: 'turn' as const,
    content: `User: ${prompt}\nAssistant: ${answer}`,
    fingerprint: '',
    terms: termsOf(`${prompt}\n${answer}`),
    context: previous ?? '',
    context_terms: termsOf(previous ?? ''),
    source,
  };
  await insert(sql, userId, await raiseVersion(sql, userId), [row]);
}

export interface MemoryRow {
  id: string;
  kind: StoredMemoryKind;
  content: string;
  fingerprint: string;
  terms: string;
  context: string;
  context_terms: string;
  source: MemoryOrigin;
}

export async function insert(
  sql: Transaction,
  userId: string,
  revision: number,
  rows: readonly MemoryRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into memories (user_id, revision, id, kind, content, fingerprint, terms, context, context_terms, source)
    select ${userId}, ${revision}, id, kind, content, fingerprint, terms, context, context_terms, source
    from jsonb_to_recordset(${sql.json(rows.map((row) => ({ ...row })))}) as row (
      id uuid, kind text, content text, fingerprint text, terms text, context text, context_terms text, source jsonb)`;
}

/** The next version; its row is held until the commit, so that versions become visible in the order of their numbers. */
export async function raiseVersion(sql: Transaction, userId: string): Promise<number> {
  const [row] = await sql<{ version: number }[]>`
    insert into memory_versions (user_id, version) values (${userId}, 1)
    on conflict (user_id) do update set version = memory_versions.version + 1
    returning version`;
  if (!row) throw new Error('an upsert gave no row');
  return row.version;
}

async function liveByFingerprint(sql: Transaction, userId: string, statements: readonly { fingerprint: string }[]) {
  const rows = await sql<{ id: string; kind: string; content: string; fingerprint: string }[]>`
    select id, kind, content, fingerprint from memories
    where user_id = ${userId} and valid_to is null and kind <> 'turn'
      and fingerprint = any(${statements.map(({ fingerprint }) => fingerprint)}::text[])`;
  return new Map(rows.map(({ fingerprint, ...memory }) => [fingerprint, memory]));
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isMemoryId = (id: string): boolean => uuid.test(id);

/**
 * What holds now in the place of each superseded memory: itself, or whatever took its place since the model was told of
 * it. Ids that are not the user's own lead nowhere.
 */
async function liveHeads(sql: Transaction, userId: string, statements: readonly Statement[]) {
  const named = statements.flatMap(({ supersedes }) => (supersedes && isMemoryId(supersedes) ? [supersedes] : []));
  if (named.length === 0) return new Map<string, string>();
  const rows = await sql<{ named: string; head: string }[]>`
    with recursive line as (
      select id as named, id, valid_to, superseded_by from memories
      where user_id = ${userId} and kind <> 'turn' and id = any(${named}::uuid[])
      union
      select line.named, next.id, next.valid_to, next.superseded_by
      from line join memories next on next.id = line.superseded_by and next.user_id = ${userId}
    )
    select named, id as head from line where valid_to is null`;
  const heads = new Map(rows.map((row) => [row.named, row.head]));
  return new Map(named.flatMap((id) => (heads.has(id.toLowerCase()) ? [[id, heads.get(id.toLowerCase()) ?? id]] : [])));
}

/** Heard again: it stays, and counts as fresh. */
async function confirm(sql: Transaction, userId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update memories set last_used_at = now(), uses = uses + 1
    where user_id = ${userId} and id = any(${ids as string[]}::uuid[])`;
}

export async function supersede(
  sql: Transaction,
  userId: string,
  revision: number,
  oldId: string,
  newId: string,
): Promise<void> {
  await sql`
    update memories set valid_to = now(), superseded_by = ${newId}, revision = ${revision}
    where user_id = ${userId} and id = ${oldId} and valid_to is null`;
}
