import { FILE_ERRORS, FileInfo } from '@kith/protocol';
import { useRef, useState } from 'react';
import { api, isApiError, randomId } from '../../api/index.ts';
import { toast } from '../../design/index.ts';
import { useLanguage, useWords } from '../../language/index.ts';
import { chatWords } from '../words.ts';

export interface Attachment {
  key: string;
  name: string;
  /** Absent while it is on its way. */
  file: FileInfo | undefined;
  /** It came in, but could not be read. */
  error: string | undefined;
}

export interface Attachments {
  list: readonly Attachment[];
  isUploading: boolean;
  add(files: Iterable<File>): void;
  remove(key: string): void;
  clear(): void;
}

/** Files for the next message: each is uploaded at once, so that sending does not have to wait. */
export function useAttachments(): Attachments {
  const words = useWords(chatWords);
  const language = useLanguage();
  const [list, setList] = useState<readonly Attachment[]>([]);
  const visits = useRef(new Map<string, AbortController>());
  const remove = (key: string) => {
    visits.current.get(key)?.abort();
    setList((before) => before.filter((each) => each.key !== key));
  };
  const upload = async (key: string, source: File) => {
    const visit = new AbortController();
    visits.current.set(key, visit);
    const form = new FormData();
    form.append('file', source, source.name);
    try {
      const file = await api.post('api/v1/files', FileInfo, { form, signal: visit.signal });
      const error = file.error ? FILE_ERRORS[file.error.code][language] : undefined;
      setList((before) => before.map((each) => (each.key === key ? { ...each, file, error } : each)));
    } catch (error) {
      if (visit.signal.aborted) return;
      const reason = isApiError(error) || error instanceof Error ? error.message : String(error);
      toast(words.uploadFailed(source.name, reason), 'bad');
      remove(key);
    }
  };
  return {
    list,
    isUploading: list.some(({ file }) => file === undefined),
    add(files) {
      const fresh = Array.from(files, (source) => ({ key: randomId(), source }));
      setList((before) => [
        ...before,
        ...fresh.map(({ key, source }) => ({ key, name: source.name, file: undefined, error: undefined })),
      ]);
      for (const { key, source } of fresh) void upload(key, source);
    },
    remove,
    clear: () => setList([]),
  };
}
