import { randomUUID } from 'node:crypto';
import { verifyEvents } from '@ag-ui/client';
import { EventSchema } from '@ag-ui/core/schemas';
import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import { afterAll, expect, test } from 'vitest';
import { testDatabaseAddress } from '../../test/database.ts';
import { eventually } from '../../test/eventually.ts';
import { newTalk, type Talk, testRooms } from '../../test/rooms.ts';
import { isKithError } from '../errors/index.ts';
import { readEvents, toAgUi } from '../events/index.ts';
import { startSimulator } from '../simulator/index.ts';

// Two workers on one database, and a vendor that takes its time: runs overlap, wait, and are taken over.
const address = await testDatabaseAddress();
const simulator = await startSimulator({ latency: { latencyMs: 5 } });
afterAll(() => simulator.close());
const config = { runs: { sweepSeconds: 0.05, leaseSeconds: 2 }, memory: { learning: false } };
const [one, other] = await Promise.all([
  testRooms({ address, simulator, config }),
  testRooms({ address, simulator, config }),
]);
const { sql } = one.database;

/** A message with the word `delete` leads to a call that waits for approval. */
simulator.control.script(({ stage, prompt, body }) => {
  const wants = prompt.message.includes('delete');
  if (stage === 'IntentResult') {
    return wants
      ? { json: { route: 'NEEDS_EXECUTION', intent_summary: 'delete', execution_brief: 'delete it', safety_flags: [] } }
      : { json: { route: 'DIRECT_EXECUTION', assistant_text: 'hello', intent_summary: 'greet', safety_flags: [] } };
  }
  if (stage !== 'planner') return undefined;
  const answered = body.messages.some((message) => message.role === 'tool');
  const input = { event_id: randomUUID() };
  return answered
    ? {
        toolCalls: [
          { name: 'finish', arguments: { status: 'SUCCESS', execution_summary: 'done', report_brief: 'done' } },
        ],
      }
    : { toolCalls: [{ name: 'project_cli', arguments: { module: 'calendar', method: 'delete', input } }] };
});

type Step =
  | { kind: 'say'; text: 'hi' | 'delete it'; policy: 'enqueue' | 'reject' | 'interrupt'; desk: 0 | 1 }
  | { kind: 'cancel' | 'approve' | 'reject' | 'stall' | 'settle'; desk: 0 | 1 };

const desk = fc.constantFrom<0 | 1>(0, 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      text: fc.constantFrom('hi' as const, 'delete it' as const),
      policy: fc.constantFrom('enqueue' as const, 'reject' as const, 'interrupt' as const),
      desk,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'cancel' as const,
        'approve' as const,
        'reject' as const,
        'stall' as const,
        'settle' as const,
      ),
      desk,
    }),
  },
);

/** An answer that says no, with a code from the table, is an answer. Anything else is not. */
async function allowed(...codes: string[]) {
  return (error: unknown) => {
    if (!isKithError(error) || !codes.includes(error.code)) throw error;
    return undefined;
  };
}

async function take(
  talk: Talk,
  sessionId: () => Promise<string | undefined>,
  action: Step,
  accepted: string[],
): Promise<void> {
  const rooms = action.desk === 0 ? one : other;
  const waiting = async () => {
    const [row] = await sql<{ tool_call_id: string }[]>`
      select tool_call_id from tool_calls where session_id = ${(await sessionId()) ?? null} and status = 'awaiting_approval' limit 1`;
    return row?.tool_call_id;
  };
  switch (action.kind) {
    case 'say': {
      const submitted = await rooms
        .say(talk, action.text, { policy: action.policy })
        .catch(await allowed('THREAD_BUSY'));
      if (submitted) accepted.push(submitted.runId);
      break;
    }
    case 'cancel':
      await rooms.runs.cancel(talk.userId, talk.threadId).catch(await allowed('RUN_NOT_ACTIVE', 'SESSION_NOT_FOUND'));
      break;
    case 'approve':
    case 'reject': {
      const id = await waiting();
      if (!id) break;
      const decision = { approved: action.kind === 'approve' };
      await rooms.runs.decide(talk.userId, talk.threadId, id, decision).catch(await allowed('TOOL_CALL_NOT_PENDING'));
      break;
    }
    case 'stall':
      // As if the holder had stopped: its lease is over, somebody else takes the run, and what the holder still writes is refused.
      await sql`update runs set lease_until = now() - interval '1 second' where session_id = ${(await sessionId()) ?? null} and status = 'running'`;
      break;
    case 'settle':
      await settled(sessionId);
  }
}

const settled = (sessionId: () => Promise<string | undefined>) =>
  eventually(async () => {
    const [row] = await sql`
      select 1 from runs where session_id = ${(await sessionId()) ?? null} and status in ('queued', 'running') limit 1`;
    if (row) throw new Error('a run is stuck');
  }, 20_000);

test('whatever people do in whatever order, no thread gets stuck, no run ends twice, and every stream is legal', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
      const talk = newTalk();
      const sessionId = async () => {
        const [row] = await sql<
          { id: string }[]
        >`select id from sessions where user_id = ${talk.userId} and thread_id = ${talk.threadId}`;
        return row?.id;
      };
      const accepted: string[] = [];
      for (const action of steps) await take(talk, sessionId, action, accepted);
      await settled(sessionId);
      const id = await sessionId();
      if (!id) return;
      const runs = await sql<
        { run_id: string; status: string }[]
      >`select run_id, status from runs where session_id = ${id} order by position`;
      expect(runs.map((run) => run.run_id)).toEqual(accepted);
      const said = await sql<
        { run_id: string }[]
      >`select run_id from messages where session_id = ${id} and role = 'user' order by seq`;
      expect(said.map((row) => row.run_id)).toEqual(accepted);
      const events = await readEvents(sql, id, { after: 0 });
      expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
      for (const run of runs) {
        const own = events.filter((event) => event.runId === run.run_id).map(({ event }) => event);
        const wire = own.flatMap((event) => toAgUi(event)).map((event) => EventSchema.parse(event));
        await lastValueFrom(verifyEvents(false)(from(wire)).pipe(toArray())).catch((error: unknown) => {
          throw new Error(`not a legal stream: ${JSON.stringify(own)}`, { cause: error });
        });
        const last = own.at(-1);
        const outcome =
          last?.type === 'RUN_FINISHED'
            ? (last.outcome?.type ?? 'success')
            : last?.type === 'RUN_ERROR'
              ? last.code
              : 'none';
        expect([run.status, outcome]).toEqual(
          {
            completed: ['completed', 'success'],
            awaiting_approval: ['awaiting_approval', 'interrupt'],
            canceled: ['canceled', 'RUN_CANCELED'],
          }[run.status],
        );
      }
    }),
    { numRuns: 25, endOnFailure: true },
  );
}, 240_000);
