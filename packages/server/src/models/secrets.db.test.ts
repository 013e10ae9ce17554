import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KeyInput, ModelInput } from '@kith/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { temporaryHome, testModels } from '../../test/models.ts';
import { type KithError, problemOf } from '../errors/index.ts';
import { createLog } from '../observability/index.ts';
import { loadMasterKeys, rotateMasterKey } from './index.ts';

const database = await testDatabase();
const home = temporaryHome();
const { models, lines } = await testModels(database, { home, config: { retries: 0, timeoutSeconds: 1 } });
const { infra } = models;
const log = createLog('debug', { write: (line) => lines.push(line) });
const secret = 'tell-no-one-4f6c1d0b9a7e';
const call = (modelId: string) => ({
  callId: randomUUID(),
  agentType: 'TASK_EXECUTION' as const,
  modelId,
  messages: [{ role: 'user' as const, content: 'hi' }],
});

/** A vendor that repeats the key wherever it can. */
let answer: { status: number; body: string } = { status: 200, body: '' };
const server = createServer((request, response) => {
  const said = `${answer.body} ${request.headers.authorization} ${request.headers['x-key']}`;
  response.writeHead(answer.status, { 'x-echo': String(request.headers.authorization) }).end(said);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());
const { port } = server.address() as AddressInfo;
for (const adapter of ['deepseek', 'alibaba', 'openai-compatible', 'http'] as const) {
  await infra.vendors.create({ id: adapter, adapter, enabled: true });
  const base_url = `http://127.0.0.1:${port}`;
  await infra.endpoints.create({
    vendor_id: adapter,
    label: 'x',
    base_url,
    categories: [],
    priority: 0,
    enabled: true,
  });
  await infra.keys.create(KeyInput.parse({ vendor_id: adapter, label: 'loud', secret }));
  const request_template = adapter === 'http' ? { path: '/', headers: { 'X-Key': '{{ key }}' }, body: {} } : null;
  await infra.models.create(ModelInput.parse({ vendor_id: adapter, name: 'm', request_template }));
}

/** What becomes of an error: its problem for the caller, and itself with all its causes for the log. */
function told(error: KithError) {
  log.error({ err: error.cause ?? error, code: error.code }, 'request failed');
  return [problemOf(error), error.facts];
}

describe('a secret', () => {
  test('never comes back: not in errors, bookings, logs, lists, or the database in clear', async () => {
    const seen: unknown[] = [];
    for (const status of [200, 400, 401, 402, 429, 500]) {
      for (const adapter of ['deepseek', 'alibaba', 'openai-compatible', 'http']) {
        answer = { status, body: status === 400 ? '{"error":{"message":"bad key' : 'oops' };
        for (const listener of [undefined, () => {}]) {
          const outcome = await models.generate({ ...call(`${adapter}/m`), onText: listener });
          expect(outcome.ok).toBe(false);
          seen.push(outcome.bookings, outcome.ok ? '' : told(outcome.error));
        }
        const invoked = infra.invoke(`${adapter}/m`, { prompt: 'x', wait_seconds: 0 }, 'root');
        seen.push(await invoked.catch(told));
      }
    }
    for (const key of await infra.keys.list()) seen.push(await infra.testKey(key.id));
    seen.push(
      await infra.keys.list(),
      await infra.vendors.list(),
      await infra.models.list(),
      await infra.endpoints.list(),
    );
    for (const table of ['vendor_keys', 'model_calls'])
      seen.push(await database.sql`select * from ${database.sql(table)}`);
    const text = JSON.stringify(seen) + lines.join('\n');
    expect(text.length).toBeGreaterThan(10_000);
    expect(text).not.toContain(secret);
    expect(text).not.toContain('no-one-4f6c');
    expect(lines.join('\n')).toContain('a model call failed');
  });

  test('survives a new master key, which a running server finds by itself', async () => {
    const before = await database.sql<{ id: string; secret: string }[]>`select id, secret from vendor_keys order by id`;
    const { rewrapped, unreadable, masterKeys } = await rotateMasterKey(database.sql, loadMasterKeys(home, {}));
    expect([rewrapped, unreadable]).toEqual([before.length, 0]);
    expect(masterKeys.previous).toEqual([]);
    const after = await database.sql<{ id: string; secret: string }[]>`select id, secret from vendor_keys order by id`;
    for (const [index, row] of after.entries()) expect(row.secret).not.toBe(before[index]?.secret);
    await models.registry.refresh();
    expect((await models.generate(call('simulator/deepseek-flash-like'))).ok).toBe(true);
    const added = await infra.keys.create(
      KeyInput.parse({ vendor_id: 'http', label: 'later', secret: 'another-secret-1' }),
    );
    const [row] = await database.sql<{ secret: string }[]>`select secret from vendor_keys where id = ${added.id}`;
    expect(row?.secret.split(':')[1]).toBe(masterKeys.current.id);
  });

  test('that no master key opens keeps the old ones in place', async () => {
    await database.sql`update vendor_keys set secret = 'v1:000000000000:a:b:c:d' where label = 'later'`;
    const { unreadable, masterKeys } = await rotateMasterKey(database.sql, loadMasterKeys(home, {}));
    expect(unreadable).toBe(1);
    expect(masterKeys.previous).toHaveLength(1);
  });
});
