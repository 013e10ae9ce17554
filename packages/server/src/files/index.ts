/** Files of users: kept, read in a process apart into documents, tables and metadata, and searchable. */
export { attachmentHeader } from './file-name.ts';
export { createFiles, type FilesOptions } from './files.ts';
export type { Files, SavedOutput, Upload } from './port.ts';
export { type TableCell, type TableRow, toCsv, toXlsx } from './table-files.ts';
