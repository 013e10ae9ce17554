import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Config } from '../packages/server/src/config/index.ts';
import { openDatabase, startEmbedded } from '../packages/server/src/db/index.ts';
import { createModels } from '../packages/server/src/models/index.ts';
import { createLog, createMetrics } from '../packages/server/src/observability/index.ts';

/**
 * What tracking costs: CPU of a call through the models room against a plain fetch to the same local server, one answer
 * and a stream of 200 chunks. The vendor is a process of its own; the candidates take turns, so that a busy machine
 * slows them alike; the median of the rounds counts.
 */
const ROUNDS = 15;
const WARM_UP = 4;
const CALLS = { generate: 150, stream: 40 };
const TARGETS = { generate: 1.6, stream: 2.5 };

const system = 'You are a helpful assistant. '.repeat(60);
const messages = [
  { role: 'system' as const, content: system },
  { role: 'user' as const, content: '你好,今天有什么安排?' },
];

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kith-bench-'));
  const embedded = await startEmbedded(folder);
  const database = await openDatabase({ kind: 'embedded', socketFolder: embedded.socketFolder });
  for (const pace of ['burst', 'token by token'] as const) {
    const vendor = await startVendor(pace);
    const models = await createModels({
      database,
      log: createLog('silent'),
      metrics: createMetrics(),
      config: Config.parse({ home: folder }),
      environment: { DEEPSEEK_API_KEY: 'sk-bench-key', DEEPSEEK_BASE_URL: vendor.url },
      pollMs: 0,
    });
    const call = () => ({
      callId: randomUUID(),
      agentType: 'TASK_EXECUTION' as const,
      modelId: 'deepseek/deepseek-flash',
      messages,
    });
    const figures = await compare({
      'plain fetch': { generate: () => plainGenerate(vendor.url), stream: () => plainStream(vendor.url) },
      'tracked call': {
        generate: async () => textOf(await models.generate(call())),
        stream: async () => {
          let text = '';
          await models.generate({ ...call(), onText: (delta) => (text += delta) });
          return text;
        },
      },
    });
    report(pace, figures);
    models.close();
    vendor.process.kill();
  }
  await database.close();
  await embedded.stop();
  rmSync(folder, { recursive: true, force: true });
}

type Candidate = Record<keyof typeof CALLS, () => Promise<string>>;
type Figures = Record<string, Record<keyof typeof CALLS, number>>;

/** Microseconds of CPU per call, by candidate and kind. */
async function compare(candidates: Record<string, Candidate>): Promise<Figures> {
  const samples = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    for (const [name, candidate] of Object.entries(candidates)) {
      for (const kind of ['generate', 'stream'] as const) {
        const micros = await cpuOf(CALLS[kind], candidate[kind]);
        if (round >= WARM_UP) samples.set(`${name} ${kind}`, [...(samples.get(`${name} ${kind}`) ?? []), micros]);
      }
    }
  }
  const median = (key: string) => (samples.get(key) ?? []).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
  return Object.fromEntries(
    Object.keys(candidates).map((name) => [
      name,
      { generate: median(`${name} generate`), stream: median(`${name} stream`) },
    ]),
  );
}

async function cpuOf(count: number, work: () => Promise<string>): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; done < count; done += 1) {
    if ((await work()) === '') throw new Error('an empty answer');
  }
  const { user, system: kernel } = process.cpuUsage(before);
  return (user + kernel) / count;
}

function report(pace: string, figures: Figures): void {
  process.stdout.write(`\nserver sends ${pace}\n`);
  for (const kind of ['generate', 'stream'] as const) {
    const plain = figures['plain fetch']?.[kind] ?? Number.NaN;
    const tracked = figures['tracked call']?.[kind] ?? Number.NaN;
    const ratio = tracked / plain;
    const verdict = ratio <= TARGETS[kind] ? 'ok' : 'MISSED';
    process.stdout.write(
      `  ${kind.padEnd(9)} plain fetch ${plain.toFixed(0).padStart(6)} µs   tracked ${tracked.toFixed(0).padStart(6)} µs   ` +
        `ratio ${ratio.toFixed(2)}× (target ≤ ${TARGETS[kind]}×: ${verdict})\n`,
    );
  }
}

const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-bench-key' };

async function plainGenerate(url: string): Promise<string> {
  const body = JSON.stringify({ model: 'deepseek-flash', messages });
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', headers, body });
  const answer = (await response.json()) as { choices: { message: { content: string } }[] };
  return answer.choices[0]?.message.content ?? '';
}

/** The least that a client must do: decode, split into events, parse, add up. */
async function plainStream(url: string): Promise<string> {
  const body = JSON.stringify({ model: 'deepseek-flash', messages, stream: true });
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', headers, body });
  const decoder = new TextDecoder();
  let rest = '';
  let text = '';
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: ') || line === 'data: [DONE]') continue;
      const event = JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] };
      text += event.choices[0]?.delta.content ?? '';
    }
  }
  return text;
}

function textOf(outcome: { ok: true; value: { text: string } } | { ok: false; error: Error }): string {
  if (!outcome.ok) throw outcome.error;
  return outcome.value.text;
}

async function startVendor(pace: string): Promise<{ url: string; process: ChildProcess }> {
  const child = fork(fileURLToPath(new URL('./model-call-vendor.ts', import.meta.url)), [pace]);
  const url = await new Promise<string>((resolve) => child.once('message', (message) => resolve(String(message))));
  return { url, process: child };
}

await main();
