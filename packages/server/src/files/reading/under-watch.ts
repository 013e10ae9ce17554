import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { z } from 'zod';
import { fixedLimits } from './limits.ts';
import { readFileApart } from './reader.ts';

/** A process of its own for a test: has the files of a folder read, and says how that felt. */

export const Watched = z.object({
  outcomes: z.record(z.string(), z.string()),
  longestDelayMs: z.number(),
  grownMegabytes: z.number(),
});

const types: Record<string, string> = {
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.pdf': 'application/pdf',
  '.csv': 'text/csv',
  '.txt': 'text/plain',
};
const limits = {
  ...fixedLimits,
  pages: 2000,
  cells: 500_000,
  expansion: 100,
  timeoutMs: 30_000,
  residentMegabytes: 300,
};

async function readAll(folder: string): Promise<z.infer<typeof Watched>> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const outcomes: Record<string, string> = {};
  for (const name of await readdir(folder)) {
    const bytes = createReadStream(join(folder, name));
    const mediaType = types[extname(name)] ?? 'text/plain';
    const outcome = await readFileApart({ mediaType, bytes, limits, onChunks: async () => {} });
    outcomes[name] = outcome.end === 'failed' ? outcome.code : outcome.end;
  }
  clearInterval(watch);
  return { outcomes, longestDelayMs: Math.round(delay.max / 1e6), grownMegabytes: Math.round((peak - before) / 1e6) };
}

const folder = process.argv[2];
if (import.meta.main && folder) process.stdout.write(`${JSON.stringify(await readAll(folder))}\n`);
