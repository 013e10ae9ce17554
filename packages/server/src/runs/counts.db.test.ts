import { expect, test } from 'vitest';
import { countTransactions, newTalk, type Talk, testRooms } from '../../test/rooms.ts';

// Learning would add its own call to what is counted here. Sweeps and flushes belong to the process, not to a run.
const kith = await testRooms({
  config: {
    roles: ['api', 'worker'],
    memory: { learning: false },
    runs: { sweepSeconds: 3600 },
    events: { flushMilliseconds: 1000 },
  },
});
const { sql } = kith.database;

/** What `until` asks, what the driver asks once for every new connection, and what a process does by itself: the
 * flush that all its runs share, and its look at the registry. */
const isBeside = (statement: string) =>
  /from runs\s+join sessions|from actions where|from tool_calls where session_id = \$1 and turn = \$2 order|from model_calls where session_id|pg_catalog\.pg_type|as page \(|registry_version|from figures/.test(
    statement,
  );

/** Statements of a run, from its submission to its end. */
async function statementsOf(talk: Talk, text: string) {
  kith.statements.length = 0;
  const submitted = await kith.say(talk, text);
  const seen = kith.statements;
  const run = await kith.until(talk, submitted.runId, 'completed');
  const statements = seen.filter(({ text: statement }) => !isBeside(statement));
  return { run, statements };
}

test('a direct answer takes at most three transactions', async () => {
  const talk = newTalk();
  await kith.ask(talk, '你好');
  const { statements } = await statementsOf(talk, '你好');
  expect(countTransactions(statements)).toBeLessThanOrEqual(3);
});

test('a run of eleven model calls and ten tools takes at most fourteen', async () => {
  const talk = newTalk();
  const { run, statements } = await statementsOf(talk, 'bench: 10 tools in 8 turns');
  expect(run.model_calls).toHaveLength(11);
  expect(run.tool_calls).toHaveLength(10);
  expect(countTransactions(statements)).toBeLessThanOrEqual(14);
});

test('the two hundredth turn of a thread writes what the second did, within a tenth', async () => {
  const talk = newTalk();
  const bytesOf = async (text: string) => {
    const { run } = await statementsOf(talk, text);
    const [row] = await sql<{ bytes: number }[]>`
      select (select coalesce(sum(length(messages::text)), 0) from messages where run_id = ${run.runId})
        + (select coalesce(sum(length(run_events::text)), 0) from run_events where run_id = ${run.runId})
        + (select coalesce(sum(length(actions::text)), 0) from actions join turns using (session_id, turn) where run_id = ${run.runId})
        + (select coalesce(sum(length(model_calls::text)), 0) from model_calls where run_id = ${run.runId})
        + (select coalesce(sum(length(turns::text)), 0) from turns where run_id = ${run.runId}) as bytes`;
    return row?.bytes ?? 0;
  };
  await kith.ask(talk, '你好 1');
  const second = await bytesOf('你好 2');
  for (let turn = 3; turn < 200; turn++) await kith.ask(talk, `你好 ${turn}`);
  const last = await bytesOf('你好 2');
  expect(Math.abs(last - second) / second).toBeLessThan(0.1);
}, 120_000);
