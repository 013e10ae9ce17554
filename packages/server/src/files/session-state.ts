import type { JsonObject, OriginFile, PreprocessedFiles } from '@kith/protocol';
import type { FileRow } from './file-rows.ts';

/** What the RuntimeState says of files: `origin_files` and `preprocessed_files`, keyed by file id. */
export function stateOf(files: readonly FileRow[]): {
  origin_files: OriginFile[];
  preprocessed_files: PreprocessedFiles;
} {
  const preprocessed_files: PreprocessedFiles = { documents: {}, tables: {}, other_files: {} };
  const places = { document: 'documents', table: 'tables', other: 'other_files' } as const;
  for (const file of files) preprocessed_files[places[file.kind]][file.id] = entryOf(file);
  return { origin_files: files.map(originOf), preprocessed_files };
}

function originOf(file: FileRow): OriginFile {
  return {
    file_id: file.id,
    name: file.name,
    type: file.media_type,
    ...(file.provider === 'local' ? { local_path: `files/${file.path}` } : {}),
    mapping: { provider: file.provider, path: file.path },
  };
}

/** A summary, not the text: that is what `files.read` and `files.search` are for. */
function entryOf({ name, status, error, summary }: FileRow): JsonObject {
  if (status === 'failed') return { name, status, error };
  if (!summary) return { name, status };
  const { kind: _kind, ...facts } = summary;
  return { name, status, ...facts };
}
