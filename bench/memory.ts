import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureLatency } from './memory-latency.ts';
import { Dataset, measureRetrieval, samplesOf } from './memory-retrieval.ts';

/**
 * `npm run bench:memory -- [file in LoCoMo's format] [--memories 50000]`
 * Retrieval quality beside plain BM25, and how long searches of one user with very many memories take (0: not measured).
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { memories: { type: 'string', default: '50000' } },
});
const shipped = new URL('./data/memory-small.json', import.meta.url);
const samples = samplesOf(Dataset.parse(JSON.parse(readFileSync(positionals[0] ?? shipped, 'utf8'))));
const turns = samples.flatMap((sample) => sample.turns);
const questions = samples.reduce((sum, sample) => sum + sample.questions.length, 0);

const table = (rows: readonly (readonly string[])[]) => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  process.stdout.write(`${rows.map(line).join('\n')}\n\n`);
};
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const change = (value: number, base: number) => `${value >= base ? '+' : ''}${((value / base - 1) * 100).toFixed(1)} %`;
const ms = (value: number) => value.toFixed(1);

process.stdout.write(`evidence found among the first results (${turns.length} turns, ${questions} questions)\n`);
const quality = await measureRetrieval(samples);
const [plain] = quality;
table([
  ['', 'recall@5', '', 'recall@10', ''],
  ...quality.map(({ name, at5, at10 }) => [
    name,
    percent(at5),
    plain ? change(at5, plain.at5) : '',
    percent(at10),
    plain ? change(at10, plain.at10) : '',
  ]),
]);

const memories = Number(values.memories);
if (memories > 0) {
  const [load = 0] = loadavg();
  const cores = availableParallelism();
  const busy =
    load > cores ? `; others keep ${load.toFixed(0)} threads busy on ${cores} cores: see the processor time` : '';
  process.stdout.write(`milliseconds to search ${memories} memories of one user, embedded database${busy}\n`);
  const sentences = turns.map(({ text }) => text);
  const latency = await measureLatency(sentences, memories);
  table([
    ['', 'p50', 'p95', 'worst', 'cpu', 'first'],
    ...latency.map(({ name, p50, p95, worst, cpu, first }) => [
      name,
      ms(p50),
      ms(p95),
      ms(worst),
      ms(cpu),
      first === undefined ? '' : ms(first),
    ]),
  ]);
}
