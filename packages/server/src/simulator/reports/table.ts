import {
  tellAccepted,
  tellCreated,
  tellDeclined,
  tellDeleted,
  tellEvents,
  tellShared,
  tellUpdated,
} from './calendar.ts';
import {
  tellAnything,
  tellContacts,
  tellFile,
  tellForgotten,
  tellMemories,
  tellPassages,
  tellRemembered,
} from './others.ts';
import type { Report } from './report.ts';

const REPORTS: Readonly<Record<string, Report>> = {
  'calendar.read': tellEvents,
  'calendar.create': tellCreated,
  'calendar.update': tellUpdated,
  'calendar.delete': tellDeleted,
  'calendar.share': tellShared,
  'calendar.accept_invite': tellAccepted,
  'calendar.reject_invite': tellDeclined,
  'contacts.read': tellContacts,
  'memory.update': tellRemembered,
  'memory.search': tellMemories,
  'memory.forget': tellForgotten,
  'files.read': tellFile,
  'files.search': tellPassages,
};

/** How each tool's result is put into words. */
export const reportFor = (tool: string): Report => REPORTS[tool] ?? tellAnything;
