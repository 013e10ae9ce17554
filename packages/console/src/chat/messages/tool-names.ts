import { displayToolName } from '@kith/protocol';
import { LOCALES, useLanguage, useWords } from '../../language/index.ts';
import { chatWords } from '../words.ts';

/** The planner's own moves are not skills, and `finish` says nothing to a reader. */
const SILENT = new Set(['finish', 'project_cli']);

/** Names as people read them, each once, in order; an unknown name stays as it is. */
export function useToolNames(names: readonly string[]): string[] {
  const language = useLanguage();
  const { plan } = useWords(chatWords);
  const shown = names
    .filter((name) => !SILENT.has(name))
    .map((name) => (name === 'plan' ? plan : displayToolName(name, LOCALES[language])));
  return [...new Set(shown)];
}
