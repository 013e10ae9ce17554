import type { Action } from '@kith/protocol';
import type { Transaction } from '../db/index.ts';

export type ActionFromOutside = Pick<Action, 'node' | 'summary' | 'result' | 'next'>;

/** Actions that come from outside a run: a person's decision, a client's result. The caller holds the session's row. */
export async function appendActions(
  sql: Transaction,
  sessionId: string,
  turn: number,
  actions: readonly ActionFromOutside[],
): Promise<void> {
  await sql`
    with head as (
      update sessions set action_head = action_head + ${actions.length} where id = ${sessionId}
      returning action_head - ${actions.length} as base
    )
    insert into actions (session_id, turn, id, node, summary, result, usage, next)
    select ${sessionId}, ${turn}, base + place, action ->> 'node', action ->> 'summary', action -> 'result',
      '{"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}', action -> 'next'
    from head, jsonb_array_elements(${sql.json([...actions])}::jsonb) with ordinality as entry (action, place)`;
}
