import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { measureDirectAnswers } from './compare/direct-answers.ts';
import { measureGrowth } from './compare/growth.ts';
import type { Lab } from './compare/lab.ts';
import { startModel } from './compare/model.ts';
import { installPeers, nameOf } from './compare/peers.ts';
import { startMeter } from './compare/postgres.ts';
import { costTable, directTable, failures, growthTable, type Row } from './compare/report.ts';
import { measureRuns, measureTransactions } from './compare/runs.ts';
import { KITH, SET_UPS, type SetUp } from './compare/set-ups.ts';

/**
 * `npm run bench -- [--only kith,mastra] [--rounds 9] [--profile folder]`
 * What a durable run costs with Kith and with its peers, measured side by side: docs/benchmarks.md. It reports and never
 * fails: a bench that stops a build measures the build machine.
 */
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    profile: { type: 'string' },
  },
});
const RUNS = 10;
/** Batches: after about a hundred runs nobody gets faster any more. */
const WARM_UP = 10;

const say = (text: string) => process.stdout.write(`${text}\n`);
const tell = (progress: string) => process.stderr.write(`… ${progress}\n`);
const wanted = ({ id }: SetUp) => !options.only || options.only.split(',').includes(id);
const load = () => loadavg()[0]?.toFixed(1) ?? '?';

async function measure(lab: Lab, setUps: readonly SetUp[]): Promise<Row[]> {
  const costs = await measureRuns(lab, setUps, { warmUp: WARM_UP, rounds: Number(options.rounds), runs: RUNS });
  const rows: Row[] = [];
  for (const setUp of setUps) {
    const cost = costs.get(setUp) ?? { failure: 'it was not run' };
    const row: Row = { setUp, name: nameOf(setUp), cost };
    if (setUp.keepsIn && 'value' in cost) {
      row.transactions = await measureTransactions(lab, setUp, 2 * RUNS);
      row.growth = await measureGrowth(lab, setUp, WARM_UP * RUNS);
    }
    rows.push(row);
  }
  return rows;
}

async function main(): Promise<void> {
  const missing = await installPeers(tell);
  if (missing) say(missing);
  await using stack = new AsyncDisposableStack();
  const meter = stack.adopt(await startMeter(), (own) => own.stop());
  const model = stack.adopt(await startModel(), (own) => own.stop());
  const lab: Lab = { meter, model, profileFolder: options.profile, tell };
  const before = load();
  const rows = await measure(lab, SET_UPS.filter(wanted));
  const direct = wanted(KITH) ? await measureDirectAnswers(lab, { alone: 30, together: 1000 }) : undefined;

  const memory = (totalmem() / 2 ** 30).toFixed(0);
  say(
    `${availableParallelism()} × ${cpus()[0]?.model ?? '?'}, ${memory} GB, load ${before} before and ${load()} after`,
  );
  say(
    `Node ${process.versions.node}, PostgreSQL ${meter.version}; medians of ${options.rounds} batches of ${RUNS} runs; over 1 × Kith is dearer\n`,
  );
  say(`${costTable(rows)}\n`);
  say(`${growthTable(rows)}\n`);
  if (direct) say(`${'value' in direct ? directTable(direct.value) : `direct answers: ${direct.failure}`}\n`);
  for (const failure of failures(rows)) say(failure);
}

await main().catch((error) => say(`the bench could not go on: ${error instanceof Error ? error.stack : error}`));
