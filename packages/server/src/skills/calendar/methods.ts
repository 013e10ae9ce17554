import type { SkillMethod } from '../port.ts';
import { createEvents } from './create.ts';
import { removeEvent } from './delete.ts';
import { readCalendar } from './read.ts';
import { acceptInvite, rejectInvite, shareEvent } from './share.ts';
import { updateEvent } from './update.ts';

export const calendarMethods: readonly SkillMethod[] = [
  readCalendar,
  createEvents,
  updateEvent,
  removeEvent,
  shareEvent,
  acceptInvite,
  rejectInvite,
];
