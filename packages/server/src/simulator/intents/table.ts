import { arithmetic } from './arithmetic.ts';
import { bench } from './bench.ts';
import { calendarChange } from './calendar-change.ts';
import { calendarCreate } from './calendar-create.ts';
import { calendarDelete } from './calendar-delete.ts';
import { calendarAnswer, calendarShare } from './calendar-invite.ts';
import { calendarRead } from './calendar-read.ts';
import { clockQuestion } from './clock.ts';
import { contactsSearch } from './contacts.ts';
import { files } from './files.ts';
import type { Intent } from './intent.ts';
import { memoryAnswer, memoryForget, memoryRecall, memoryRemember } from './memory.ts';
import { clientTool, namedTool } from './named-tools.ts';
import { identity } from './profile.ts';
import { repeat, smalltalk, statement } from './smalltalk.ts';
import { writing } from './writing.ts';

/** Everything that the simulator understands. The first that fits a clause has it. */
export const INTENTS: readonly Intent[] = [
  bench,
  namedTool,
  repeat,
  memoryRemember,
  memoryForget,
  identity,
  smalltalk,
  arithmetic,
  clientTool,
  calendarAnswer,
  calendarDelete,
  calendarChange,
  contactsSearch,
  calendarRead,
  memoryRecall,
  files,
  calendarShare,
  statement,
  calendarCreate,
  clockQuestion,
  writing,
  memoryAnswer,
];
