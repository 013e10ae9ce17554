import type { FileErrorCode, FileSummary } from '@kith/protocol';
import type { ReadingLimits } from './limits.ts';

/** What a reader is asked, and what it says back: the words between the server and the process that opens files. */

export interface ReadingRequest {
  mediaType: string;
  limits: ReadingLimits;
}

/** A passage: long enough to mean something, short enough to quote. The passages of a page, joined, are its text. */
export interface Chunk {
  position: number;
  page: number;
  text: string;
  terms: string[];
}

export type ReadingMessage =
  /** The reader waits for `more` after each batch, so that a fast reader does not fill the server's memory. */
  | { type: 'chunks'; chunks: Chunk[] }
  | { type: 'done'; summary: FileSummary }
  | { type: 'failed'; code: FileErrorCode; detail?: string };

/** Thrown by whatever reads a part of a file: the file is at fault, and this is how. */
export class FileFault extends Error {
  readonly code: FileErrorCode;
  constructor(code: FileErrorCode, detail?: string) {
    super(detail ?? code);
    this.name = 'FileFault';
    this.code = code;
  }
}
