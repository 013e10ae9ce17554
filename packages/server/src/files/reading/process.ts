import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { pieces } from './chunks.ts';
import type { Page } from './document.ts';
import { readBytes } from './read.ts';
import { type Chunk, FileFault, type ReadingMessage, type ReadingRequest } from './reading.ts';

/** The process that opens one file: its bytes come in on standard input, what is in it goes out by messages. */

const BATCH_CHARACTERS = 50_000;

process.once('uncaughtException', (error) => void say({ type: 'failed', code: 'FILE_BROKEN', detail: error.message }));
// It ends when its server lets go of it, after the last message has arrived.
process.once('disconnect', () => process.exit(0));
const [request]: ReadingRequest[] = await once(process, 'message');
if (request) await say(await outcomeOf(request));

async function outcomeOf({ mediaType, limits }: ReadingRequest): Promise<ReadingMessage> {
  try {
    const { summary, pages } = await readBytes(mediaType, await buffer(process.stdin), limits);
    // Not before it is clear that there is something to cut up.
    const { tokensOf } = await import('../../memory/index.ts');
    for (const chunks of batches(pages, tokensOf)) {
      const taken = once(process, 'message');
      await say({ type: 'chunks', chunks });
      await taken;
    }
    return { type: 'done', summary };
  } catch (error) {
    if (error instanceof FileFault) return { type: 'failed', code: error.code, detail: error.message };
    // Whatever a parser trips over is the file's fault: it has nothing else to trip over.
    return { type: 'failed', code: 'FILE_BROKEN', detail: error instanceof Error ? error.message : String(error) };
  }
}

function* batches(pages: readonly Page[], tokensOf: (text: string) => string[]): Generator<Chunk[]> {
  let batch: Chunk[] = [];
  let size = 0;
  let position = 0;
  for (const [index, { text, context }] of pages.entries()) {
    const shared = context ? tokensOf(context) : [];
    for (const piece of pieces(text)) {
      batch.push({ position, page: index + 1, text: piece, terms: [...shared, ...tokensOf(piece)] });
      position += 1;
      size += piece.length;
      if (size < BATCH_CHARACTERS) continue;
      yield batch;
      batch = [];
      size = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

function say(message: ReadingMessage): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, () => resolve());
  });
}
