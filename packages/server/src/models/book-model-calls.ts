import type { Sql, Transaction } from '../db/index.ts';
import type { ModelCallRow } from './port.ts';

/**
 * Writes calls to the ledger, in one statement. A row that was announced (`started`) or given up (`lost`) takes on what
 * became of it; one that is finished is never changed, so that booking twice is harmless.
 */
export async function bookModelCalls(sql: Sql | Transaction, rows: readonly ModelCallRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into model_calls
    select booked.* from jsonb_populate_recordset(null::model_calls, ${sql.json(rows.map((row) => ({ ...row })))}) as given,
      -- A session that was deleted meanwhile must not take the booking with it.
      lateral jsonb_populate_record(given, jsonb_build_object(
        'session_id', (select id from sessions where id = given.session_id))) as booked
    on conflict (id) do update set
      user_id = excluded.user_id, session_id = excluded.session_id, run_id = excluded.run_id,
      message_id = coalesce(excluded.message_id, model_calls.message_id), agent_type = excluded.agent_type,
      vendor_id = excluded.vendor_id, endpoint_id = excluded.endpoint_id, key_id = excluded.key_id,
      model_id = excluded.model_id, status = excluded.status, raw_usage = excluded.raw_usage,
      usage_summary = excluded.usage_summary, input_tokens = excluded.input_tokens,
      output_tokens = excluded.output_tokens, cached_tokens = excluded.cached_tokens,
      reasoning_tokens = excluded.reasoning_tokens, cost = excluded.cost, cost_source = excluded.cost_source,
      price_card = excluded.price_card, latency_ms = excluded.latency_ms, attempts = excluded.attempts,
      error = excluded.error, started_at = least(model_calls.started_at, excluded.started_at),
      finished_at = excluded.finished_at
    where model_calls.status in ('started', 'lost')`;
}
