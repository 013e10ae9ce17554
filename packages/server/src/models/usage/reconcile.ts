import type { Sql } from '../../db/index.ts';

/** A session whose two ledgers disagree. */
export interface Difference {
  session_id: string;
  thread_id: string;
  user_id: string;
  field: 'cost' | 'input_tokens' | 'output_tokens';
  messages: string;
  model_calls: string;
}

export interface Reconciliation {
  sessions: number;
  differences: Difference[];
}

/**
 * Compares, session by session, the sum over its messages with the sum over its model calls. Calls of a run that is still
 * under way may belong to no message yet; they count once they have one, or once their run is over.
 */
export async function reconcile(sql: Sql): Promise<Reconciliation> {
  const differences = await sql<Difference[]>`
    with spoken as (
      select session_id, sum(cost) as cost, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens
      from messages group by session_id
    ),
    called as (
      select calls.session_id, sum(calls.cost) as cost, sum(calls.input_tokens) as input_tokens, sum(calls.output_tokens) as output_tokens
      from model_calls calls
      where calls.session_id is not null and (calls.message_id is not null or not exists (
        select from runs where runs.session_id = calls.session_id and runs.run_id = calls.run_id
          and runs.status in ('queued', 'running', 'awaiting_approval')))
      group by calls.session_id
    ),
    compared as (
      select sessions.id, sessions.thread_id, sessions.user_id, field, spoken_sum, called_sum
      from sessions left join spoken on spoken.session_id = sessions.id left join called on called.session_id = sessions.id,
        lateral (values
          ('cost', coalesce(spoken.cost, 0), coalesce(called.cost, 0)),
          ('input_tokens', coalesce(spoken.input_tokens, 0), coalesce(called.input_tokens, 0)),
          ('output_tokens', coalesce(spoken.output_tokens, 0), coalesce(called.output_tokens, 0))
        ) as sums (field, spoken_sum, called_sum)
    )
    select id as session_id, thread_id, user_id, field, trim_scale(spoken_sum)::text as messages,
      trim_scale(called_sum)::text as model_calls
    from compared where spoken_sum <> called_sum order by thread_id, field`;
  const [counted] = await sql<{ sessions: number }[]>`select count(*) as sessions from sessions`;
  return { sessions: counted?.sessions ?? 0, differences: [...differences] };
}
