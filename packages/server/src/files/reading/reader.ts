import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { FileErrorCode, FileSummary } from '@kith/protocol';
import type { ReadingLimits } from './limits.ts';
import type { Chunk, ReadingMessage, ReadingRequest } from './reading.ts';

export type ReadingOutcome =
  | { end: 'read'; summary: FileSummary }
  /** The file is at fault, and will be next time. */
  | { end: 'failed'; code: FileErrorCode; detail?: string | undefined }
  /** The file is not at fault: it may be read another time. */
  | { end: 'interrupted'; reason: string };

export interface ReadingOptions {
  mediaType: string;
  bytes: Readable;
  limits: ReadingLimits;
  /** Awaited before the next batch is asked for. */
  onChunks: (chunks: Chunk[]) => Promise<void>;
  signal?: AbortSignal | undefined;
}

/**
 * Reads one file in a process of its own, which is killed when it takes too long or too much. It has no environment, may
 * read nothing but the program's own code, and may write, start and load nothing: a parser that is taken over by a hostile
 * file finds nothing to take.
 */
export async function readFileApart(options: ReadingOptions): Promise<ReadingOutcome> {
  const child = spawn(process.execPath, argumentsFor(options.limits), {
    env: {},
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  stepBack(child);
  const fate = watchOver(child, options);
  try {
    if (child.stdin) pipeline(options.bytes, child.stdin).catch(fate.inputEnded);
    const request: ReadingRequest = { mediaType: options.mediaType, limits: options.limits };
    child.send(request, () => {});
    return await Promise.race([conversation(child, options.onChunks), fate.reached]);
  } finally {
    options.bytes.destroy();
    fate.stop();
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
}

/** Whoever waits for an answer goes first. */
function stepBack(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system does not let us: it is read all the same.
  }
}

async function conversation(child: ChildProcess, onChunks: ReadingOptions['onChunks']): Promise<ReadingOutcome> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: ReadingMessage) => {
      if (message.type === 'done') resolve({ end: 'read', summary: message.summary });
      else if (message.type === 'failed') resolve({ end: 'failed', code: message.code, detail: message.detail });
      else onChunks(message.chunks).then(() => child.send('more', () => {}), reject);
    });
  });
}

const WATCH_MS = 50;

/** Resolves when the child comes to a bad end: by itself, or because it went over a limit. */
function watchOver(child: ChildProcess, { bytes, limits, signal }: ReadingOptions) {
  const { promise: reached, resolve } = Promise.withResolvers<ReadingOutcome>();
  const end = (code: FileErrorCode, detail?: string) => resolve({ end: 'failed', code, detail });
  const timer = setTimeout(() => end('FILE_TIMED_OUT', `longer than ${limits.timeoutMs / 1000} s`), limits.timeoutMs);
  const watch = setInterval(async () => {
    if ((await residentMegabytes(child.pid)) > limits.residentMegabytes) end('FILE_OUT_OF_MEMORY');
  }, WATCH_MS);
  const abort = () => resolve({ end: 'interrupted', reason: 'the server is stopping' });
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  child.once('error', (error) => resolve({ end: 'interrupted', reason: error.message }));
  child.once('exit', (code, killedBy) => {
    // V8 aborts when its heap is full; the system kills whoever takes the last of its memory.
    if (killedBy) end('FILE_OUT_OF_MEMORY');
    else resolve({ end: 'interrupted', reason: `the reader ended with ${code}` });
  });
  const stop = () => {
    clearTimeout(timer);
    clearInterval(watch);
    signal?.removeEventListener('abort', abort);
  };
  /** A child that gives up early closes its end, and what it says counts; bytes that stop coming are nobody's fault. */
  const inputEnded = (error: Error) => {
    if (bytes.errored) resolve({ end: 'interrupted', reason: error.message });
  };
  return { reached, stop, inputEnded };
}

/** Buffers are not in the heap that V8 limits. Where there is no /proc, that limit and the ones on unpacking remain. */
async function residentMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}

const program = fileURLToPath(new URL('./process.ts', import.meta.url));
const sources = fileURLToPath(new URL('../../../', import.meta.url));

function argumentsFor(limits: ReadingLimits): string[] {
  const modules = createRequire(import.meta.url).resolve.paths('a-package') ?? [];
  const readable = [sources, ...modules.filter(existsSync)];
  return [
    '--permission',
    ...readable.map((folder) => `--allow-fs-read=${folder}`),
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${limits.heapMegabytes}`,
    '--no-warnings',
    program,
  ];
}
