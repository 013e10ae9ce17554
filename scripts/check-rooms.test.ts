import { expect, test } from 'vitest';
import { findFaults } from './check-rooms.ts';

const faultsOf = (files: Record<string, string>) => findFaults(new Map(Object.entries(files)));

test('a room may import the face of a room below it, and its own files', () => {
  const files = {
    'http/app.ts':
      "import { users } from '../users/index.ts';\nimport { pathOf } from './path.ts';\nimport { z } from 'zod';",
    'http/path.ts': '',
    'users/index.ts': "export { parse } from './settings.ts';",
    'users/settings.ts': "import type { Config } from '../config/index.ts';",
    'config/index.ts': '',
  };
  expect(faultsOf(files)).toEqual([]);
});

test('reaching into another room is caught, with the line and the face to import instead', () => {
  const files = { 'http/app.ts': "\nimport { parse } from '../users/settings.ts';", 'users/settings.ts': '' };
  expect(faultsOf(files)).toEqual([
    'http/app.ts:2: users/settings.ts is inside users; import its face, users/index.ts',
  ]);
});

test.each([
  ['upwards', 'users/context.ts', '../http/index.ts', 'users must not import http, which is not below it'],
  ['sideways', 'skills/call.ts', '../agents/index.ts', 'skills must not import agents, which is not below it'],
  ['for a type only', 'db/pool.ts', '../users/index.ts', 'db must not import users, which is not below it'],
])('an import %s is caught', (_name, file, target, fault) => {
  expect(faultsOf({ [file]: `import type { X } from '${target}';` })).toEqual([`${file}:1: ${fault}`]);
});

test.each([
  ["import {\n  a,\n  b,\n} from '../http/index.ts';"],
  ["export * from '../http/index.ts';"],
  ["import '../http/index.ts';"],
  ["const lazy = () => import('../http/index.ts');"],
])('every way to import is seen: %s', (text) => {
  expect(faultsOf({ 'users/index.ts': text })).toHaveLength(1);
});

test('the simulator stands alone', () => {
  expect(faultsOf({ 'simulator/server.ts': "import { errors } from '../errors/index.ts';" })).toHaveLength(1);
});

test('a new folder has to be given its floor', () => {
  expect(faultsOf({ 'cli/kith.ts': "import { x } from '../extras/index.ts';" })).toEqual([
    'cli/kith.ts:1: extras is not a known room',
  ]);
});

test('a test may look inside any room', () => {
  expect(
    faultsOf({
      'users/context.test.ts': "import { a } from '../http/app.ts';\nimport { b } from '../../test/kith.ts';",
    }),
  ).toEqual([]);
});

test('files that import each other in a circle are caught, tests too, but not where only types go round', () => {
  const circle = { 'users/a.test.ts': "import { b } from './b.ts';", 'users/b.ts': "import { a } from './a.test.ts';" };
  expect(faultsOf(circle)).toEqual([
    'files import each other in a circle: users/a.test.ts → users/b.ts → users/a.test.ts',
  ]);
  const types = { 'users/a.ts': "import { b } from './b.ts';", 'users/b.ts': "import type { A } from './a.ts';" };
  expect(faultsOf(types)).toEqual([]);
});
