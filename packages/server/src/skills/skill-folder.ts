import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { SkillMethod } from './port.ts';

/** What `SKILL.md`, in the Agent Skills format, says of a skill. */
export interface SkillHeader {
  name: string;
  description: string;
  /** The text below the header. */
  instructions: string;
}

/** A skill with methods has a card for each in `actions/`. */
export interface SkillFolder extends SkillHeader {
  cards: ReadonlyMap<string, Card>;
}

export interface Card {
  /** When to use the method. */
  when: string;
  approval: boolean;
  /** Input and notes, as the planner reads them. */
  text: string;
  examples: readonly unknown[];
}

// What the format asks for; other fields (license, metadata, …) are others' business.
const Header = z.looseObject({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'expected lower-case letters, digits and single hyphens' }),
  description: z.string().trim().min(1).max(1024),
});
const EXAMPLE = 'e.g. ';
const CardHeader = z.strictObject({ when: z.string().trim().min(1), approval: z.boolean() });

/** Throws what is wrong with it, with the file. */
export function readSkillHeader(folder: string): SkillHeader {
  const { header, body } = readMarkdown(join(folder, 'SKILL.md'), Header);
  if (header.name !== basename(folder)) {
    throw new Error(`SKILL.md: the name "${header.name}" is not the folder's, "${basename(folder)}"`);
  }
  return { name: header.name, description: header.description, instructions: body };
}

export const readSkillFolder = (folder: string): SkillFolder => ({
  ...readSkillHeader(folder),
  cards: readCards(folder),
});

function readCards(folder: string): ReadonlyMap<string, Card> {
  const actions = join(folder, 'actions');
  const files = readdirSync(actions, { withFileTypes: true }).filter((entry) => entry.name.endsWith('.md'));
  return new Map(files.map(({ name }) => [basename(name, '.md'), readCard(join(actions, name))]));
}

/** An example stands on a line of its own: `e.g. {"query":"…"}`. */
function readCard(file: string): Card {
  const { header, body } = readMarkdown(file, CardHeader);
  const examples = body.split('\n').filter((line) => line.startsWith(EXAMPLE));
  return { ...header, text: body, examples: examples.map((line): unknown => JSON.parse(line.slice(EXAMPLE.length))) };
}

function readMarkdown<Fields>(file: string, schema: z.ZodType<Fields>): { header: Fields; body: string } {
  if (!existsSync(file)) throw new Error(`${basename(file)} is missing`);
  const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  const [matched, yaml = '', body = ''] = /^---\n(.*?)\n---\n?(.*)$/s.exec(text) ?? [];
  if (matched === undefined) throw new Error(`${basename(file)}: no header between lines of ---`);
  const header = schema.safeParse(parse(yaml));
  if (header.success) return { header: header.data, body: body.trim() };
  const [issue] = header.error.issues;
  throw new Error(`${basename(file)}: ${issue?.path.join('.') || 'header'}: ${issue?.message}`);
}

/** Where a folder's cards and its handler do not fit together. */
export function disagreements({ name, cards }: SkillFolder, methods: readonly SkillMethod[]): string[] {
  const known = new Set(methods.map(({ method }) => method));
  const orphans = [...cards.keys()].filter((method) => !known.has(method));
  return [
    ...orphans.map((method) => `${name}: actions/${method}.md has no method`),
    ...methods.flatMap((method) => disagreementsOf(method, cards.get(method.method))),
  ];
}

function disagreementsOf({ module, method, approval, input }: SkillMethod, card: Card | undefined): string[] {
  const name = `${module}.${method}`;
  if (!card) return [`${name}: no actions/${method}.md`];
  const wrong = card.examples.filter((example) => !input.safeParse(example).success);
  return [
    ...(card.approval === approval ? [] : [`${name}: the card says approval: ${card.approval}`]),
    ...(card.examples.length > 0 ? [] : [`${name}: the card has no example`]),
    ...wrong.map((example) => `${name}: not a valid example: ${JSON.stringify(example)}`),
  ];
}
