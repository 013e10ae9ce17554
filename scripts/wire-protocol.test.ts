import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { page, withTables } from './wire-protocol.ts';

test('the tables of the wire protocol’s page are those of the schemas', () => {
  const text = readFileSync(page, 'utf8');
  expect(text).toContain('<!-- table: events -->');
  expect(withTables(text)).toBe(text);
});
