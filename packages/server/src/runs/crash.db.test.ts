import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyEvents } from '@ag-ui/client';
import { EventType } from '@ag-ui/core';
import { EventSchema } from '@ag-ui/core/schemas';
import type { KithEvent } from '@kith/protocol';
import { from, lastValueFrom, toArray } from 'rxjs';
import { afterAll, expect, test } from 'vitest';
import type { Begin, CrashOrder } from '../../test/crash-worker.ts';
import { testDatabaseAddress } from '../../test/database.ts';
import { newTalk, type Talk, testRooms } from '../../test/rooms.ts';
import { readEvents, toAgUi } from '../events/index.ts';
import { startSimulator } from '../simulator/index.ts';

const address = await testDatabaseAddress();
const simulator = await startSimulator();
// Takes requests and looks at what became of them; the work is the children's.
const desk = await testRooms({ address, simulator, config: { roles: ['api'] } });
const { sql } = desk.database;
afterAll(() => simulator.close());

/** Five tools that each create an event, two of them at the same time; then an answer, then something is learned. */
const TITLES = ['one', 'two', 'three', 'four', 'five'];
simulator.control.script(({ stage, body }) => {
  if (stage === 'IntentResult') {
    return {
      json: {
        route: 'NEEDS_EXECUTION',
        intent_summary: 'five events',
        execution_brief: 'create five events',
        safety_flags: [],
      },
    };
  }
  if (stage === 'MemoryUpdate') return { json: { memories: [{ kind: 'preference', content: '喜欢喝茶' }] } };
  if (stage !== 'planner') return undefined;
  const done = body.messages.filter((message) => message.role === 'tool').length;
  if (done >= TITLES.length) {
    return {
      toolCalls: [
        { name: 'finish', arguments: { status: 'SUCCESS', execution_summary: 'created', report_brief: 'five events' } },
      ],
    };
  }
  const titles = TITLES.slice(done, done === 0 ? 2 : done + 1);
  return {
    toolCalls: titles.map((title) => ({
      name: 'project_cli',
      arguments: {
        module: 'calendar',
        method: 'create',
        input: { title, start: '2026-11-20T10:00:00+08:00', end: '2026-11-20T11:00:00+08:00' },
      },
    })),
  };
});
const slowFlush = { events: { flushMilliseconds: 1000 } };
const PROMPT = '我喜欢喝茶。请建五个日程';

const order: CrashOrder = { address, simulatorUrl: simulator.url };
const children = new Set<ChildProcess>();
/** What the first of them compiles, the others need not. */
const compiled = mkdtempSync(join(tmpdir(), 'kith-compiled-'));
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(compiled, { recursive: true, force: true });
});

/** Processes take a while to start: the next one is always under way already. */
function warmUp(): Promise<ChildProcess> {
  const child = fork(new URL('../../test/crash-worker.ts', import.meta.url), [JSON.stringify(order)], {
    stdio: 'ignore',
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
  });
  children.add(child);
  return once(child, 'message').then(() => child);
}
let warm = warmUp();

async function startWorker(dieAtStatement: number): Promise<ChildProcess> {
  const child = await warm;
  warm = warmUp();
  child.send({ dieAtStatement } satisfies Begin);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Runs to the end with workers that die where told, one after the other; a worker in this process takes up what is left. */
async function runThrough(...deaths: number[]): Promise<{ talk: Talk; runId: string }> {
  const talk = newTalk();
  const { runId } = await desk.say(talk, PROMPT);
  for (const death of deaths) {
    const child = await startWorker(death);
    await Promise.race([once(child, 'exit'), desk.until(talk, runId, 'completed', 'failed')]);
    await end(child);
  }
  const survivor = await testRooms({ address, simulator, config: { roles: ['worker'], ...slowFlush }, keepOpen: true });
  await desk.until(talk, runId, 'completed');
  await survivor.close();
  return { talk, runId };
}

/** Nothing lost, nothing doubled. */
async function expectWhole({ talk, runId }: { talk: Talk; runId: string }, crashes: number): Promise<void> {
  const session = await desk.sessions.find(talk.userId, talk.threadId);
  const run = await desk.runs.detail(talk.userId, talk.threadId, runId);
  expect(run.status).toBe('completed');

  const effects = await sql<
    { title: string }[]
  >`select title from calendar_events where user_id = ${talk.userId} order by title`;
  expect(effects.map((row) => row.title)).toEqual(TITLES.toSorted());

  const ids = run.actions.map((action) => action.id);
  expect(ids).toEqual(ids.map((_, index) => index + 1));

  const seqs = await sql<
    { seq: number }[]
  >`select seq from messages where session_id = ${session.id} and seq > 0 order by seq`;
  expect(seqs.map((row) => row.seq)).toEqual(seqs.map((_, index) => index + 1));
  const kinds = await sql<{ kind: string; id: string | null }[]>`
    select metadata ->> 'type' as kind, metadata ->> 'tool_call_id' as id from messages
    where session_id = ${session.id} and seq > 0 and coalesce(metadata ->> 'stage', '') <> 'memory' order by seq`;
  expect(kinds[0]?.kind).toBe('user_input');
  expect(kinds.at(-1)?.kind).toBe('assistant_output');
  const calls = kinds.filter((row) => row.kind === 'tool_call').map((row) => row.id);
  const results = kinds.filter((row) => row.kind === 'tool_result').map((row) => row.id);
  expect(new Set(calls).size).toBe(5);
  expect(results.toSorted()).toEqual(calls.toSorted());

  const statuses = run.model_calls.map((call) => call.status);
  expect(statuses).not.toContain('started');
  expect(statuses.filter((status) => status === 'lost').length).toBeLessThanOrEqual(crashes);
  expect(run.model_calls.filter((call) => call.status === 'lost').every((call) => call.cost === null)).toBe(true);
  // Router, one turn per plan, the last turn, the answer and the learning: each was used, so each is booked, once.
  expect(statuses.filter((status) => status === 'succeeded').length).toBeGreaterThanOrEqual(8);
  const [ledger] = await sql`
    select (select sum(cost) from messages where session_id = ${session.id}) as said,
      (select sum(cost) from model_calls where session_id = ${session.id}) as booked`;
  expect(ledger?.said).toBe(ledger?.booked);

  const learned = await sql`select 1 from memories where user_id = ${talk.userId} and kind <> 'turn'`;
  const turns = await sql`select 1 from memories where user_id = ${talk.userId} and kind = 'turn'`;
  expect([learned.length, turns.length]).toEqual([1, 1]);

  const events = await readEvents(sql, session.id, { after: 0 });
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  await expectLegal(events.map(({ event }) => event));
}

/** The protocol's own judge accepts the stream; the final text is there once. */
async function expectLegal(events: KithEvent[]): Promise<void> {
  const wire = events.flatMap((event) => toAgUi(event)).map((event) => EventSchema.parse(event));
  const judged = await lastValueFrom(verifyEvents(false)(from(wire)).pipe(toArray()));
  expect(judged.at(-1)?.type).toBe(EventType.RUN_FINISHED);
  const answers = events.flatMap((event) => (event.type === 'TEXT_MESSAGE_END' && event.answer ? [event] : []));
  expect(answers).toHaveLength(1);
  const [answer] = answers;
  const deltas = events.flatMap((event) =>
    event.type === 'TEXT_MESSAGE_CONTENT' && event.messageId === answer?.messageId ? [event.delta] : [],
  );
  expect(deltas.join('')).toBe(answer?.answer);
}

test('a run goes through every crash: a worker is killed at each statement it sends, and the next one takes over', async () => {
  const counter = await startWorker(0);
  const talk = newTalk();
  const { runId } = await desk.say(talk, PROMPT);
  await desk.until(talk, runId, 'completed');
  await expectWhole({ talk, runId }, 0);
  counter.send('count');
  const [{ sent }] = await once(counter, 'message');
  await end(counter);
  // A model call is announced before it is made and kept after it: two places to die at for each, at least.
  const { model_calls } = await desk.runs.detail(talk.userId, talk.threadId, runId);
  expect(sent).toBeGreaterThanOrEqual(2 * model_calls.length);
  for (let point = 1; point <= sent; point++) {
    const run = await runThrough(point);
    await expectWhole(run, 1).catch((error: unknown) => {
      throw new Error(`killed at statement ${point} of ${sent}`, { cause: error });
    });
  }
}, 900_000);

test('a run goes through crash after crash', async () => {
  const run = await runThrough(4, 11, 3, 14);
  await expectWhole(run, 4);
}, 300_000);
