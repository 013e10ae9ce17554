import { ServerStatus } from '@kith/protocol';
import { expect, test } from 'vitest';
import { testKith } from '../../../test/kith.ts';

const kith = await testKith({ options: { environment: {} } });

test('the status says plainly that the simulator answers where no vendor is configured', async () => {
  const status = (await kith.as('zhangsan').get('/api/v1/status')).read(ServerStatus);
  expect(status).toEqual({
    version: '0.1.0',
    auth: 'dev',
    simulator: true,
    database: kith.database.kind,
  });
});

test('which model answers is for administrators', async () => {
  const status = (await kith.as('root', 'admin').get('/api/v1/status')).read(ServerStatus);
  expect(status.model).toMatch(/^simulator\//);
});
