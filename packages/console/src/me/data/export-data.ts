import {
  AutomationList,
  type AutomationRun,
  AutomationRunPage,
  type CalendarEvent,
  CalendarEventList,
  ContactList,
  CurrentUser,
  type FileInfo,
  FilePage,
  type HistoryMessage,
  HistoryPage,
  MemoryExport,
  ProfileSettings,
  type Session,
  SessionPage,
  UserProfile,
} from '@kith/protocol';
import { api, isApiError, segment } from '../../api/index.ts';

export const EXPORT_PARTS = [
  'profile',
  'sessions',
  'memories',
  'contacts',
  'calendar',
  'automations',
  'files',
] as const;
export type ExportPart = (typeof EXPORT_PARTS)[number];

const collectors: Record<ExportPart, () => Promise<object>> = {
  profile,
  sessions,
  memories,
  contacts,
  calendar,
  automations,
  files,
};

/** Everything that the server keeps of the caller, part by part: each route gives only what is theirs. */
export async function collectMyData(onPart: (part: ExportPart) => void): Promise<object> {
  const collected: Record<string, unknown> = { exported_at: new Date().toISOString() };
  for (const part of EXPORT_PARTS) {
    onPart(part);
    Object.assign(collected, await collectors[part]());
  }
  return collected;
}

async function profile() {
  const { user_id } = await api.get('api/v1/users/me', CurrentUser);
  const settings = await api.get('api/v1/users/me/settings', ProfileSettings);
  const found = await api.get('api/v1/users/me/profile', UserProfile).catch((error: unknown) => {
    if (isApiError(error, 'PROFILE_NOT_FOUND')) return null;
    throw error;
  });
  return { user_id, profile: found, settings };
}

/** Reads pages until there is no next one. */
async function* pagesOf<Page>(read: (cursor: string) => Promise<Page>, next: (page: Page) => string | null) {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await read(cursor);
    yield page;
    cursor = next(page);
  }
}

async function sessions() {
  const all: (Session & { messages: HistoryMessage[] })[] = [];
  const pages = pagesOf(
    (cursor) => api.get('api/v1/agent/sessions', SessionPage, { query: { cursor, limit: 200 } }),
    (page) => page.next_cursor,
  );
  for await (const page of pages) {
    for (const session of page.sessions) all.push({ ...session, messages: await messagesOf(session.thread_id) });
  }
  return { sessions: all };
}

/** The newest page comes first, ascending inside. */
async function messagesOf(threadId: string): Promise<HistoryMessage[]> {
  let messages: HistoryMessage[] = [];
  const pages = pagesOf(
    (before) => api.get('api/v1/agent/history', HistoryPage, { query: { threadId, before, limit: 200 } }),
    (page) => (page.next_before === null ? null : String(page.next_before)),
  );
  for await (const page of pages) messages = [...page.messages, ...messages];
  return messages;
}

async function memories() {
  return { memories: (await api.get('api/v1/memories/export', MemoryExport)).memories };
}

async function contacts() {
  return { contacts: (await api.get('api/v1/contacts', ContactList, { query: { limit: 500 } })).contacts };
}

const DAY_MS = 86_400_000;
const REACH_DAYS = 366;
const STEP_DAYS = 61;

/** The calendar answers for a limited span at a time; an event over an edge is kept once. */
async function calendar() {
  const events = new Map<string, CalendarEvent>();
  const dateAfter = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  for (let day = -REACH_DAYS; day <= REACH_DAYS; day += STEP_DAYS) {
    const query = { from: dateAfter(day), to: dateAfter(day + STEP_DAYS - 1) };
    const { events: found } = await api.get('api/v1/calendar/events', CalendarEventList, { query });
    for (const event of found) events.set(event.event_id, event);
  }
  return { calendar: [...events.values()] };
}

async function automations() {
  const list = (await api.get('api/v1/automations', AutomationList)).automations;
  const withRuns = [];
  for (const automation of list) withRuns.push({ ...automation, runs: await runsOf(automation.id) });
  return { automations: withRuns };
}

async function runsOf(id: string): Promise<AutomationRun[]> {
  const runs: AutomationRun[] = [];
  const pages = pagesOf(
    (before) => api.get(`api/v1/automations/${segment(id)}/runs`, AutomationRunPage, { query: { before, limit: 200 } }),
    (page) => page.next_before,
  );
  for await (const page of pages) runs.push(...page.runs);
  return runs;
}

async function files() {
  const all: FileInfo[] = [];
  const pages = pagesOf(
    (cursor) => api.get('api/v1/files', FilePage, { query: { cursor, limit: 200 } }),
    (page) => page.next_cursor,
  );
  for await (const page of pages) all.push(...page.files);
  return { files: all };
}
