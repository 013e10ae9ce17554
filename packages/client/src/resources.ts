import type {
  ChatRequest,
  ChatResponse,
  FileInfo,
  FilePage,
  FileText,
  HistoryPage,
  MemoryCorrection,
  MemoryInput,
  MemoryPage,
  ProfileInput,
  ProfilePatch,
  ProfileSettings,
  RuntimeState,
  Session,
  SessionInput,
  SessionPage,
  StoredMemory,
  UsageTotals,
  UserAgentContext,
  UserProfile,
} from '@kith/protocol';
import { type Http, part } from './http.ts';

/** The rest of the API, resource by resource. Everything is about the caller's own data. */

export interface Sessions {
  create(input?: SessionInput): Promise<Session>;
  list(query?: { limit?: number; cursor?: string; q?: string }): Promise<SessionPage>;
  get(threadId: string): Promise<Session>;
  rename(threadId: string, title: string): Promise<Session>;
  remove(threadId: string): Promise<void>;
  usage(threadId: string): Promise<UsageTotals>;
  state(threadId: string): Promise<RuntimeState>;
}

export function createSessions(http: Http): Sessions {
  const base = '/api/v1/agent/sessions';
  const at = (threadId: string) => `${base}/${part(threadId)}`;
  return {
    create: (input = {}) => http.json('POST', base, { body: input }),
    list: (query) => http.json('GET', base, { query }),
    get: (threadId) => http.json('GET', at(threadId)),
    rename: (threadId, title) => http.json('PATCH', at(threadId), { body: { title } }),
    remove: (threadId) => http.done('DELETE', at(threadId)),
    usage: (threadId) => http.json('GET', `${at(threadId)}/usage`),
    state: (threadId) => http.json('GET', `${at(threadId)}/state`),
  };
}

/** The newest page first; `next_before` of a page leads to the one before it. */
export type History = (threadId: string, query?: { before?: number; limit?: number }) => Promise<HistoryPage>;
export const createHistory =
  (http: Http): History =>
  (threadId, query = {}) =>
    http.json('GET', '/api/v1/agent/history', { query: { threadId, ...query } });

/** A message in, the whole answer out. */
export type Chat = (request: ChatRequest, signal?: AbortSignal) => Promise<ChatResponse>;
export const createChat =
  (http: Http): Chat =>
  (request, signal) =>
    http.json('POST', '/api/v1/chat', { body: request, signal });

export interface Profile {
  get(): Promise<UserProfile>;
  put(profile: ProfileInput): Promise<UserProfile>;
  patch(changes: ProfilePatch): Promise<UserProfile>;
  remove(): Promise<void>;
  /** What a run knows of the user. */
  context(): Promise<UserAgentContext>;
}

export function createProfile(http: Http): Profile {
  const base = '/api/v1/users/me/profile';
  return {
    get: () => http.json('GET', base),
    put: (profile) => http.json('PUT', base, { body: profile }),
    patch: (changes) => http.json('PATCH', base, { body: changes }),
    remove: () => http.done('DELETE', base),
    context: () => http.json('GET', '/api/v1/users/me/context'),
  };
}

type Deep<T> = { [Key in keyof T]?: T[Key] extends object ? Deep<T[Key]> : T[Key] };

export interface Settings {
  get(): Promise<ProfileSettings>;
  /** Changes what is named, and keeps the rest. */
  patch(changes: Deep<ProfileSettings>): Promise<ProfileSettings>;
}

export function createSettings(http: Http): Settings {
  const base = '/api/v1/users/me/settings';
  return { get: () => http.json('GET', base), patch: (changes) => http.json('PATCH', base, { body: changes }) };
}

export interface Memories {
  /** With `q` the best matches; without it everything, the newest first. */
  list(query?: {
    q?: string;
    kind?: StoredMemory['kind'];
    status?: 'live' | 'all';
    cursor?: string;
    limit?: number;
  }): Promise<MemoryPage>;
  add(memory: Partial<MemoryInput> & Pick<MemoryInput, 'content'>): Promise<StoredMemory>;
  correct(memoryId: string, correction: MemoryCorrection): Promise<StoredMemory>;
  forget(memoryId: string): Promise<void>;
}

export function createMemories(http: Http): Memories {
  const base = '/api/v1/memories';
  return {
    list: (query) => http.json('GET', base, { query }),
    add: (memory) => http.json('POST', base, { body: memory }),
    correct: (memoryId, correction) => http.json('PATCH', `${base}/${part(memoryId)}`, { body: correction }),
    forget: (memoryId) => http.done('DELETE', `${base}/${part(memoryId)}`),
  };
}

export interface Files {
  upload(file: Blob, name: string): Promise<FileInfo>;
  list(query?: { thread_id?: string; cursor?: string; limit?: number }): Promise<FilePage>;
  get(fileId: string): Promise<FileInfo>;
  text(fileId: string, pages?: string): Promise<FileText>;
  content(fileId: string): Promise<Blob>;
  remove(fileId: string): Promise<void>;
}

export function createFiles(http: Http): Files {
  const base = '/api/v1/files';
  const at = (fileId: string) => `${base}/${part(fileId)}`;
  return {
    upload(file, name) {
      const form = new FormData();
      form.append('file', file, name);
      return http.json('POST', base, { body: form });
    },
    list: (query) => http.json('GET', base, { query }),
    get: (fileId) => http.json('GET', at(fileId)),
    text: (fileId, pages) => http.json('GET', `${at(fileId)}/text`, { query: { pages } }),
    content: async (fileId) => (await http.send('GET', `${at(fileId)}/content`)).blob(),
    remove: (fileId) => http.done('DELETE', at(fileId)),
  };
}
