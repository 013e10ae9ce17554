import { type Json, JsonObject } from '@kith/protocol';
import type { Transaction } from '../db/index.ts';
import type { ToolActionResult } from '../graph/index.ts';
import { visibilityOf } from '../sessions/index.ts';
import { appendActions } from './append-actions.ts';
import { continueAs } from './decisions.ts';
import type { SubmitRequest } from './port.ts';

interface ClientCall {
  tool_call_id: string;
  method: string;
  run_id: string;
  turn: number;
  args: JsonObject;
}

/** Results of tools that ran in the client: the turn goes on with them. Undefined where no call waits for them. */
export async function takeClientResults(
  sql: Transaction,
  sessionId: string,
  request: SubmitRequest,
  results: readonly { toolCallId: string; content: string }[],
): Promise<{ id: string } | undefined> {
  const calls = await sql<ClientCall[]>`
    select tool_call_id, method, run_id, turn, args from tool_calls
    where session_id = ${sessionId} and module = 'client' and status = 'started'
      and tool_call_id = any(${results.map((result) => result.toolCallId)})
    for update`;
  const turn = calls[0]?.turn;
  if (turn === undefined) return undefined;
  for (const call of calls) {
    const content = results.findLast((result) => result.toolCallId === call.tool_call_id)?.content ?? '';
    await keepResult(sql, sessionId, request, call, content);
  }
  const [before] = await sql<{ id: string }[]>`
    select id from runs where session_id = ${sessionId} and turn = ${turn} order by position desc limit 1`;
  return before ? { id: await continueAs(sql, before.id, request.input.runId) } : undefined;
}

async function keepResult(
  sql: Transaction,
  sessionId: string,
  request: SubmitRequest,
  call: ClientCall,
  content: string,
): Promise<void> {
  const result: ToolActionResult = {
    status: 'success',
    summary: `the client ran ${call.method}`,
    result: asResult(content),
    tool_call_id: call.tool_call_id,
    tool_name: call.method,
  };
  await sql`
    update tool_calls set status = 'succeeded', result = ${sql.json(JSON.parse(JSON.stringify(result)))}, finished_at = now()
    where session_id = ${sessionId} and tool_call_id = ${call.tool_call_id}`;
  await appendActions(sql, sessionId, call.turn, [
    { node: 'tool', summary: result.summary, result: JSON.parse(JSON.stringify(result)), next: ['reflection'] },
  ]);
  const metadata = {
    type: 'tool_result',
    stage: 'worker',
    tool_call_id: call.tool_call_id,
    tool_name: call.method,
    tool_call_args: call.args,
    status: result.status,
    result: result.result,
  };
  await sql`
    with head as (
      update sessions set message_head = message_head + 1 where id = ${sessionId} returning message_head, billing_currency
    )
    insert into messages (session_id, run_id, turn, seq, role, content, metadata, visibility_mask, currency)
    select ${sessionId}, ${request.input.runId}, ${call.turn}, message_head, 'tool', ${content}, ${sql.json(JSON.parse(JSON.stringify(metadata)))},
      ${visibilityOf('agent_output', request.mode ?? 'chat')}, billing_currency
    from head`;
}

/** JSON where it is JSON, else the text as it is. */
function asResult(content: string): JsonObject | Json[] {
  try {
    const value: Json = JSON.parse(content);
    const object = JsonObject.safeParse(value);
    if (object.success) return object.data;
    return Array.isArray(value) ? value : { value };
  } catch {
    return { text: content };
  }
}
