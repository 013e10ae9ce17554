import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { noModels } from '../../test/no-models.ts';
import { Config } from '../config/index.ts';
import { createLog } from '../observability/index.ts';
import { createMemory } from './index.ts';

const database = await testDatabase();
const log = createLog('silent');
const config = Config.parse({}).memory;
const memory = createMemory({ config, database, models: noModels, log });

test('what was learned is recalled', async () => {
  const ids = await database.sql.begin((sql) =>
    memory.learn(
      sql,
      'alice',
      {
        memories: [
          { kind: 'fact', content: '我住在杭州西湖区' },
          { kind: 'preference', content: 'Prefers tea over coffee.' },
        ],
      },
      { thread_id: 't', run_id: 'r', turn: 1 },
    ),
  );
  expect(ids).toHaveLength(2);
  const { memories } = await memory.recall({ userId: 'alice', query: '我住在哪里' });
  expect(memories.map((m) => m.content)).toEqual(['我住在杭州西湖区', 'Prefers tea over coffee.']);
});
