import { expect, test } from 'vitest';
import { testKith } from '../../test/kith.ts';

const kith = await testKith();
const alice = kith.as('alice');

test('it is alive and ready', async () => {
  expect(await alice.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect(await alice.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
});
