import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A room imports only the faces of rooms below its own; files never import each other in a circle. */

/** From the top down. Rooms on one line do not know each other. */
const floors: readonly (readonly string[])[] = [
  ['cli', 'main.ts', 'compose.ts', 'index.ts'],
  ['http'],
  ['runs'],
  ['graph'],
  ['agents', 'skills', 'automation'],
  ['files'],
  ['memory'],
  ['models'],
  ['users', 'identity', 'sessions', 'events', 'billing'],
  ['db'],
  ['config'],
  ['errors', 'observability', 'simulator'],
];
/** The program itself is one floor of files that belong together. */
const top = new Set(floors[0]);
const floorOf = new Map(floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)));

interface Import {
  target: string;
  line: number;
  /** Gone when the program runs, so it can close no circle. */
  isType: boolean;
}

/** What is wrong, one sentence per fault. `files` maps paths below `source` to their text. */
export function findFaults(files: ReadonlyMap<string, string>): string[] {
  const imports = new Map([...files].map(([file, text]) => [file, importsOf(file, text)]));
  const arrows = [...imports].flatMap(([file, list]) => list.map((entry) => ({ file, ...entry })));
  return [...arrows.flatMap(faultOf), ...circlesIn(imports)];
}

function importsOf(file: string, text: string): Import[] {
  const statement = /^[ \t]*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm;
  return [...text.matchAll(statement)].flatMap((match) => {
    const target = match[2] ?? match[3] ?? '';
    if (!target.startsWith('.')) return [];
    const line = text.slice(0, match.index).split('\n').length;
    return [{ target: join(dirname(file), target), line, isType: match[1] !== undefined }];
  });
}

function faultOf({ file, target, line }: Import & { file: string }): string[] {
  const [from, to] = [roomOf(file), roomOf(target)];
  if (from === to || isTest(file) || target.startsWith('..')) return [];
  const at = `${file}:${line}`;
  const [above, below] = [floorOf.get(from), floorOf.get(to)];
  if (above === undefined) return [`${at}: ${from} is not a known room`];
  if (below === undefined) return [`${at}: ${to} is not a known room`];
  if (top.has(from) && top.has(to)) return [];
  if (above >= below) return [`${at}: ${from} must not import ${to}, which is not below it`];
  if (from === 'simulator') return [`${at}: the simulator stands alone and imports no room`];
  if (target !== join(to, 'index.ts')) return [`${at}: ${target} is inside ${to}; import its face, ${to}/index.ts`];
  return [];
}

const roomOf = (file: string) => file.split(sep)[0] ?? file;
const isTest = (file: string) => /\.test\.tsx?$/.test(file);

/** Each circle once, as the files on it. */
function circlesIn(imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) {
      found.push(`files import each other in a circle: ${[...path.slice(start), file].join(' → ')}`);
      return;
    }
    if (done.has(file)) return;
    for (const { target, isType } of imports.get(file) ?? []) if (!isType) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) walk(file, []);
  return found;
}

function readSources(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = names.filter((name) => /\.tsx?$/.test(name) && !name.includes(`fixtures${sep}`));
  return new Map(sources.map((name) => [relative('.', name), readFileSync(join(folder, name), 'utf8')]));
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const files = readSources(fileURLToPath(new URL('../packages/server/src', import.meta.url)));
  const faults = findFaults(files);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.stdout.write(`rooms: ${files.size} files, ${faults.length} faults\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
