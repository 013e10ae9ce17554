import { mkdtempSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '../src/compose.ts';
import { Config } from '../src/config/index.ts';
import { type DatabaseAddress, openDatabase } from '../src/db/index.ts';
import { createLog, createMetrics } from '../src/observability/index.ts';

/** A worker process that a test starts to kill it: it dies, unasked and at once, when it sends its n-th statement of a run. */
export interface CrashOrder {
  address: DatabaseAddress;
  simulatorUrl: string;
}

/** Sent to it when it shall begin: the statement at which it dies; 0: never. */
export interface Begin {
  dieAtStatement: number;
}

const order: CrashOrder = JSON.parse(process.argv[2] ?? '{}');
let sent = 0;
let dieAtStatement = 0;
const database = await openDatabase(order.address, {
  onStatement: (_connection, text) => {
    if (!isOfARun(text)) return;
    sent++;
    if (sent === dieAtStatement) process.kill(process.pid, 'SIGKILL');
  },
});
const rooms = await compose({
  config: Config.parse({
    home: mkdtempSync(join(tmpdir(), 'kith-crash-')),
    roles: ['worker'],
    runs: { sweepSeconds: 0.05, leaseSeconds: 1 },
    memory: { learning: true },
    events: { flushMilliseconds: 1000 },
  }),
  environment: { KITH_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') },
  database,
  log: createLog('silent'),
  metrics: createMetrics(),
  simulator: { url: order.simulatorUrl },
});
process.on('message', async (begin: Begin | 'count') => {
  if (begin === 'count') {
    process.send?.({ sent });
    return;
  }
  ({ dieAtStatement } = begin);
  sent = 0;
  await rooms.start();
});
// It will not get to do this at its exit.
flushCompileCache();
process.send?.('ready');

/**
 * Looking for work and keeping a lease is not part of a run; everything that changes something is, and every commit. To die
 * when a transaction or a savepoint begins is to die after the statement before.
 */
function isOfARun(text: string): boolean {
  const statement = text.trim();
  if (/^(select|set|create|begin|savepoint|release|rollback)\b/i.test(statement)) return false;
  return (
    !/^update runs set lease_until/i.test(statement) && !/vendor|usage_daily|system_agents|pg_advisory/.test(statement)
  );
}
