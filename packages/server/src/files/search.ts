import type { FilePassage, FileSummary } from '@kith/protocol';
import type { Sql, Transaction } from '../db/index.ts';
import { headOf } from './read-pages.ts';

/** The usual constants of BM25: how soon repetition stops counting, and how much a long passage is held back. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
const MAX_TERMS = 64;

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
  const { userId, sessionId, limit } = query;
  const terms = [...new Set(query.terms)].slice(0, MAX_TERMS);
  if (terms.length === 0) return [];
  const rows = await sql<PassageRow[]>`
    with mine as (
      select id, name, summary, chunk_count, term_count from files
      where user_id = ${userId} and status = 'ready'
        ${sessionId ? sql`and id in (select file_id from session_files where session_id = ${sessionId} and user_id = ${userId})` : sql``}
    ),
    corpus as (
      select sum(chunk_count)::float as size, sum(term_count)::float / nullif(sum(chunk_count), 0) as average from mine
    ),
    hits as materialized (
      select chunk.file_id, chunk.position, cardinality(chunk.terms)::float as length, held.term, held.times
      from file_chunks as chunk join mine on mine.id = chunk.file_id
        cross join lateral (
          select term, count(*)::float as times from unnest(chunk.terms) as term
          where term = any(${terms}::text[]) group by term) as held
      where chunk.user_id = ${userId} and chunk.terms && ${terms}::text[]
    ),
    rarity as (
      select term, ln(1 + (size - count(*) + 0.5) / (count(*) + 0.5)) as weight from hits, corpus group by term, size
    ),
    ranked as (
      select file_id, position, sum(weight * times * (1 + ${SATURATION}::float)
        / (times + ${SATURATION}::float * (1 - ${LENGTH_WEIGHT}::float + ${LENGTH_WEIGHT}::float * length / average))) as score
      from hits join rarity using (term), corpus
      group by file_id, position order by score desc, file_id, position limit ${limit}
    )
    select mine.id, mine.name, mine.summary, chunk.page, chunk.text, ranked.score
    from ranked join file_chunks as chunk using (file_id, position) join mine on mine.id = file_id
    order by score desc, file_id, position`;
  return rows.map(({ id, name, summary, page, text, score }) => ({
    file_id: id,
    name,
    page,
    text: `${headOf(summary, page)}${text}`,
    score,
  }));
}
