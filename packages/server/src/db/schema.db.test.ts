import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { tables } from './index.ts';

const database = await testDatabase();

test('what Drizzle knows of a table is what the migrations made', async () => {
  for (const table of Object.values(tables).filter((candidate) => is(candidate, PgTable))) {
    const { name, columns } = getTableConfig(table);
    const rows = await database.sql<{ column_name: string; is_nullable: string }[]>`
      select column_name, is_nullable from information_schema.columns where table_schema = 'public' and table_name = ${name}`;
    const real = rows.map((row) => `${row.column_name}${row.is_nullable === 'NO' ? ' not null' : ''}`).sort();
    const known = columns.map((column) => `${column.name}${column.notNull ? ' not null' : ''}`).sort();
    expect(known, name).toEqual(real);
  }
});
