import type { ChatRequest } from '../wire/chat-request.ts';
import { asRecord, parseJson } from './json.ts';
import type { Prompt } from './prompt.ts';

/** The contracts of Kith's stages, by name. */
export const STAGE_SCHEMAS = [
  'IntentResult',
  'ExecutionResult',
  'OrganizationResult',
  'MemoryUpdate',
  'TodoVerdict',
] as const;
export type StageSchema = (typeof STAGE_SCHEMAS)[number];

/** Where a library in between drops the name, the sections of the message still tell the stage. */
const SECTION_OF_STAGE: Readonly<Record<string, StageSchema>> = {
  KNOWN_MEMORY: 'MemoryUpdate',
  TODO: 'TodoVerdict',
  EXECUTION: 'OrganizationResult',
  CONTEXT: 'IntentResult',
};

export const isStageSchema = (name: string): name is StageSchema => STAGE_SCHEMAS.some((known) => known === name);

/** Names that libraries put in when they were given none. */
const NO_NAME = new Set(['', 'response']);

export function readSchema(request: ChatRequest, system: string, sections: readonly string[]): Prompt['schema'] {
  const format = request.response_format;
  // The system message ends with it: an earlier line of that form is somebody's text.
  const shown = [...system.matchAll(/^Schema: (\w+)[ \t]*$/gm)].at(-1);
  const asked = format ? format.type !== 'text' : shown !== undefined && !request.tools?.length;
  if (!asked) return undefined;
  const name = [format?.json_schema?.name, shown?.[1]].find((given) => given !== undefined && !NO_NAME.has(given));
  if (name !== undefined && isStageSchema(name)) return { name, definition: undefined };
  const guessed = Object.entries(SECTION_OF_STAGE).find(([section]) => sections.includes(section))?.[1];
  if (name === undefined && guessed) return { name: guessed, definition: undefined };
  const definition = format?.json_schema?.schema ?? firstJsonObject(shown ? system.slice(shown.index) : '');
  return { name: name ?? '', definition };
}

/** The schema may be printed on one line or on many: it ends where its braces close. */
function firstJsonObject(text: string): Record<string, unknown> | undefined {
  const start = text.indexOf('{');
  let depth = 0;
  let quoted = false;
  for (let at = start; start >= 0 && at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === '{') depth += 1;
    else if (!quoted && character === '}') depth -= 1;
    if (depth === 0) return asRecord(parseJson(text.slice(start, at + 1)));
  }
  return undefined;
}
