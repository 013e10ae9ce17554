import type { Readable } from 'node:stream';
import type { FileInfo, FilePage, FilePassage, FileText, OriginFile, PreprocessedFiles } from '@kith/protocol';
import type { Sql, Transaction } from '../db/index.ts';

/** What comes in: a name that is only ever shown, the type its sender claims, and the bytes as they arrive. */
export interface Upload {
  name: string;
  /** Believed only where the content does not say otherwise. */
  mediaType?: string | undefined;
  bytes: Readable;
}

/** What a card needs to offer a file. */
export interface SavedOutput {
  file_id: string;
  name: string;
  url: string;
  size: number;
}

/** The files of users. Every method is about that user's files alone: anyone else's do not exist. */
export interface Files {
  /** Checks, keeps and reads a file. What is wrong with its inside is on the file (`failed`); what may not come in is thrown. */
  store(userId: string, upload: Upload, options?: { sessionId?: string | undefined }): Promise<FileInfo>;
  get(userId: string, fileId: string): Promise<FileInfo>;
  list(
    userId: string,
    page?: { sessionId?: string | undefined; cursor?: string | undefined; limit?: number | undefined },
  ): Promise<FilePage>;
  delete(userId: string, fileId: string): Promise<void>;
  /** The bytes, as they were sent. */
  open(userId: string, fileId: string): Promise<{ file: FileInfo; bytes: Readable }>;

  /** Gives files to a session, for this turn and all later ones; FILE_NOT_FOUND names the first that is not the user's. */
  attach(sql: Sql | Transaction, userId: string, sessionId: string, fileIds: readonly string[]): Promise<void>;
  /**
   * What the RuntimeState says of the session's files: summaries, not texts. What was attached and not read yet (a crash may
   * have left some) is read first, so never call it inside a transaction.
   */
  forSession(
    userId: string,
    sessionId: string,
  ): Promise<{ origin_files: OriginFile[]; preprocessed_files: PreprocessedFiles }>;

  /**
   * The text, or some pages of it (`"1-3,5"` or numbers; sheets of a table count as pages), as much as fits into a prompt.
   * Inside a transaction pass it on: the embedded database has one connection behind it.
   */
  read(userId: string, fileId: string, pages?: string | readonly number[], sql?: Sql | Transaction): Promise<FileText>;
  /** The passages that fit best, of all files or of a session's. */
  search(
    userId: string,
    query: string,
    options?: { sessionId?: string | undefined; limit?: number | undefined; sql?: Sql | Transaction | undefined },
  ): Promise<FilePassage[]>;

  /** Keeps what a run made and gives it to the session. The same output is kept once: a run may start over after a crash. */
  saveOutput(
    userId: string,
    sessionId: string,
    name: string,
    mediaType: string,
    bytes: Uint8Array,
  ): Promise<SavedOutput>;
  /** Ends readings under way. */
  close(): Promise<void>;
}
