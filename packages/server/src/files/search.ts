import type { FilePassage, FileSummary } from '@kith/protocol';
import type { Sql, Transaction } from '../db/index.ts';
import { headOf } from './read-pages.ts';

/** The usual constants of BM25: how soon repetition stops counting, and how much a long passage is held back. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
const MAX_TERMS = 64;
/** So many passages are ranked. Words that nearly every passage has would bring all of them in, and tell them apart by nothing. */
const RANKED = 2000;

export interface PassageQuery {
  userId: string;
  /** Tokens of the question, the same as the passages were cut into. */
  terms: readonly string[];
  sessionId?: string | undefined;
  limit: number;
}

interface PassageRow {
  id: string;
  name: string;
  summary: FileSummary | null;
  page: number | null;
  text: string;
  score: number;
}

/** BM25 over the user's passages, or over those of one session's files. */
export async function searchPassages(sql: Sql | Transaction, query: PassageQuery): Promise<FilePassage[]> {
  const known = await weigh(sql, query);
  const asked = known.filter((term) => term.holders > 0);
  if (asked.length === 0) return [];
  const rows = await rank(sql, query, asked);
  return rows.map(({ id, name, summary, page, text, score }) => ({
    file_id: id,
    name,
    page,
    text: `${headOf(summary, page)}${text}`,
    score,
  }));
}

/** The files that are searched. */
const scope = (sql: Sql | Transaction, { userId, sessionId }: PassageQuery) => sql`
  select id, name, summary, chunk_count, term_count from files
  where user_id = ${userId} and status = 'ready'
    ${sessionId ? sql`and id in (select file_id from session_files where session_id = ${sessionId} and user_id = ${userId})` : sql``}`;

interface Term {
  term: string;
  /** How many passages have it. */
  holders: number;
  /** How many passages there are, and how long they are on average. */
  size: number;
  average: number;
}

/** The terms that were asked for, the rarest first. */
async function weigh(sql: Sql | Transaction, query: PassageQuery): Promise<Term[]> {
  const terms = [...new Set(query.terms)].slice(0, MAX_TERMS);
  if (terms.length === 0) return [];
  return sql<Term[]>`
    with mine as (${scope(sql, query)})
    select asked.term, size, average, (
        select count(*) from file_chunks as chunk
        where chunk.user_id = ${query.userId} and chunk.terms @> array[asked.term] and chunk.file_id in (select id from mine)
      ) as holders
    from unnest(${terms}::text[]) as asked (term), (
      select sum(chunk_count)::float as size, sum(term_count)::float / nullif(sum(chunk_count), 0) as average from mine
    ) as corpus
    order by holders, term`;
}

/** Ranks the passages that have one of the rarer words, by all of the words. */
async function rank(sql: Sql | Transaction, query: PassageQuery, asked: readonly Term[]): Promise<PassageRow[]> {
  const { userId, limit } = query;
  const weights = asked.map(({ size, holders }) => Math.log(1 + (size - holders + 0.5) / (holders + 0.5)));
  const average = asked[0]?.average ?? 1;
  return sql<PassageRow[]>`
    with mine as (${scope(sql, query)}),
    candidate as materialized (
      select chunk.file_id, chunk.position, chunk.terms, cardinality(chunk.terms)::float as length
      from file_chunks as chunk join mine on mine.id = chunk.file_id
      where chunk.user_id = ${userId} and chunk.terms && ${telling(asked)}::text[] limit ${RANKED}
    ),
    ranked as (
      select file_id, position, sum(weight * times * (1 + ${SATURATION}::float)
        / (times + ${SATURATION}::float * (1 - ${LENGTH_WEIGHT}::float + ${LENGTH_WEIGHT}::float * length / ${average}::float))) as score
      from candidate, unnest(${asked.map(({ term }) => term)}::text[], ${weights}::float[]) as asked (term, weight),
        lateral (select cardinality(array_positions(candidate.terms, asked.term))::float as times) as held
      group by file_id, position order by score desc, file_id, position limit ${limit}
    )
    select mine.id, mine.name, mine.summary, chunk.page, chunk.text, ranked.score
    from ranked join file_chunks as chunk using (file_id, position) join mine on mine.id = file_id
    order by score desc, file_id, position`;
}

/** As many of the words, from the rarest on, as bring in no more passages than are ranked; one at least. */
function telling(asked: readonly Term[]): string[] {
  let passages = 0;
  return asked
    .filter(({ holders }, index) => {
      passages += holders;
      return index === 0 || passages <= RANKED;
    })
    .map(({ term }) => term);
}
