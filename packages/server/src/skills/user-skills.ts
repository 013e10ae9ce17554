import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { errors } from '../errors/index.ts';
import { SkillFailure } from './failures.ts';
import type { SkillModule } from './module.ts';
import { done } from './output.ts';
import type { SkillMethod } from './port.ts';
import { readSkillHeader, type SkillHeader } from './skill-folder.ts';
import { cut, inLanguage } from './words.ts';

/** Names that mean something else already. */
const RESERVED = new Set(['calendar', 'contacts', 'memory', 'files', 'output', 'mcp', 'project', 'plan', 'finish']);
const LONGEST_TEXT = 32_000;
const MOST_RESOURCES = 100;

/**
 * Skills of one's own: folders in the Agent Skills format whose SKILL.md is instructions. The planner knows their name and
 * description, and reads the rest with `read` when a task is about it. Nothing in them is run. A folder that is wrong is
 * listed with its error and kept out of prompts.
 */
export function userModules(folder: string | undefined): SkillModule[] {
  if (folder === undefined) return [];
  const root = resolve(folder);
  return foldersIn(root).map((name) => userModule(join(root, name)));
}

function foldersIn(root: string): string[] {
  try {
    return readdirSync(root)
      .filter((name) => !name.startsWith('.') && statSync(join(root, name)).isDirectory())
      .sort();
  } catch (cause) {
    throw errors.CONFIG_INVALID({ detail: `skills.folder: ${root} is not a folder that can be read` }, cause);
  }
}

function userModule(folder: string): SkillModule {
  const name = basename(folder);
  try {
    if (RESERVED.has(name)) throw new Error(`the name "${name}" is taken`);
    const header = readSkillHeader(folder);
    const method = readMethod(name, folder, header);
    const card = `Read this skill before a task it is about: input {} gives its text and the names of its resources, {"path":"…"} one resource.`;
    return {
      name,
      source: 'folder',
      description: () => header.description,
      instructions: '',
      methods: () => [{ method, names: { zh: `查阅 ${name}`, en: `Consult ${name}` }, card }],
      error: () => undefined,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    return {
      name,
      source: 'folder',
      description: () => '',
      instructions: '',
      methods: () => [],
      error: () => reason,
    };
  }
}

const ReadInput = z.strictObject({ path: z.string().min(1).max(300).optional() });
const Read = z.strictObject({
  skill: z.string(),
  path: z.string().optional(),
  text: z.string(),
  resources: z.array(z.string()).optional(),
  truncated: z.boolean().optional(),
});

function readMethod(name: string, folder: string, header: SkillHeader): SkillMethod<z.infer<typeof ReadInput>> {
  return {
    module: name,
    method: 'read',
    effect: 'read',
    idempotent: true,
    approval: false,
    input: ReadInput,
    async run({ path }, { language }) {
      const resources = resourcesOf(folder);
      const text = path === undefined ? header.instructions : readResource(folder, resources, path);
      const bounded = cut(text, LONGEST_TEXT);
      return done(
        Read,
        {
          skill: name,
          ...(path === undefined ? { resources } : { path }),
          text: bounded,
          ...(bounded === text ? {} : { truncated: true }),
        },
        { summary: inLanguage({ zh: `已查阅技能 ${name}`, en: `Consulted the skill ${name}` }, language) },
      );
    },
  };
}

/** Files beside SKILL.md, by their path in the folder. A link is no file: it may lead anywhere. */
function resourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && entry.name !== 'SKILL.md')
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
    .slice(0, MOST_RESOURCES);
}

function readResource(folder: string, resources: readonly string[], path: string): string {
  if (!resources.includes(path)) throw new SkillFailure('RESOURCE_NOT_FOUND', 'path', { known: resources.join(', ') });
  return readFileSync(join(folder, path), 'utf8');
}
