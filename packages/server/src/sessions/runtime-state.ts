import { Action, type ChatHistoryEntry, type RuntimeState, RuntimeState as RuntimeStateSchema } from '@kith/protocol';
import type { Sql } from '../db/index.ts';
import type { SessionRow } from './message.ts';

interface TurnRow {
  turn: number;
  prompt: string;
  task_goal: string;
  scenario: string;
  output_style: string;
  output_structure: unknown;
  todos: unknown;
  memory: string[];
  usage: unknown;
}

/** The RuntimeState of a whole session, put together from the appended rows. */
export async function readRuntimeState(
  sql: Sql,
  session: SessionRow,
  files: Pick<RuntimeState, 'origin_files' | 'preprocessed_files'>,
): Promise<RuntimeState> {
  const [turns, actions, chat] = await Promise.all([
    sql<TurnRow[]>`select * from turns where session_id = ${session.id} order by turn`,
    sql<({ turn: number } & Record<string, unknown>)[]>`
      select turn, id, node, preparation, summary, result, context, relevance, usage, next
      from actions where session_id = ${session.id} order by id`,
    sql<ChatHistoryEntry[]>`
      select role, content from messages
      where session_id = ${session.id} and seq > 0 and metadata ->> 'type' in ('user_input', 'assistant_output')
        and coalesce(metadata ->> 'stage', '') <> 'memory'
      order by turn, seq`,
  ]);
  const last = turns.at(-1);
  const actionsOf = Map.groupBy(actions, (action) => action.turn);
  const recalled = [...new Set(turns.flatMap((turn) => turn.memory))];
  const memory =
    recalled.length === 0
      ? []
      : await sql`
          select id, kind, content from memories where user_id = ${session.user_id} and id = any(${recalled}::uuid[])
          order by array_position(${recalled}::uuid[], id)`;
  return RuntimeStateSchema.parse({
    prompts: turns.map((turn) => turn.prompt),
    user_context: session.user_context ?? {},
    memory,
    output_style: last?.output_style ?? '',
    output_structure: last?.output_structure ?? [],
    scenario: last?.scenario ?? '',
    task_goals: turns.map((turn) => turn.task_goal),
    origin_files: files.origin_files,
    preprocessed_files: files.preprocessed_files,
    todos: turns.map((turn) => turn.todos),
    action_history: turns.map((turn) => (actionsOf.get(turn.turn) ?? []).map(toAction)),
    chat_history: chat,
    usage: turns.map((turn) => turn.usage),
  });
}

function toAction(row: Record<string, unknown>): Action {
  const { context, turn: _turn, ...rest } = row;
  return Action.parse(context === null ? rest : { ...rest, context });
}
