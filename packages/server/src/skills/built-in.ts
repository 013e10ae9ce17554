import { join } from 'node:path';
import { TOOL_DISPLAY_NAMES } from '@kith/protocol';
import { calendarMethods } from './calendar/methods.ts';
import { readContacts } from './contacts/read.ts';
import { type FilesRoom, filesMethods } from './files/methods.ts';
import { type MemoryRoom, memoryMethods } from './memory/methods.ts';
import type { SkillModule } from './module.ts';
import { fullName } from './names.ts';
import type { SkillMethod } from './port.ts';
import { disagreements, readSkillFolder } from './skill-folder.ts';

/** What the skills of memory and files are made of; without it there is no such skill. */
export interface Rooms {
  memory?: MemoryRoom | undefined;
  files?: FilesRoom | undefined;
}

/** Our own skills: the folders beside this file. A card that does not fit its method stops the start. */
export function builtInModules({ memory, files }: Rooms): SkillModule[] {
  return [
    builtIn('calendar', calendarMethods),
    builtIn('contacts', [readContacts]),
    ...(memory ? [builtIn('memory', memoryMethods(memory))] : []),
    ...(files ? [builtIn('files', filesMethods(files))] : []),
  ];
}

function builtIn(name: string, methods: readonly SkillMethod[]): SkillModule {
  const folder = readSkillFolder(join(import.meta.dirname, name));
  const problems = disagreements(folder, methods);
  if (problems.length > 0) throw new Error(`The skill ${name} does not fit its cards:\n${problems.join('\n')}`);
  const presented = methods.map((method) => {
    const card = folder.cards.get(method.method);
    const own = fullName(name, method.method);
    return {
      method,
      names: TOOL_DISPLAY_NAMES[own] ?? { zh: own, en: own },
      card: card ? `${card.when}\n${card.text}` : '',
    };
  });
  return {
    name,
    source: 'built-in',
    description: () => folder.description,
    instructions: folder.instructions,
    methods: () => presented,
    error: () => undefined,
  };
}
