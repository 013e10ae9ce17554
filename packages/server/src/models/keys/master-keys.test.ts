import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { addMasterKey, dropPreviousKeys, loadMasterKeys } from './master-keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'kith-master-'));
afterAll(() => rmSync(folder, { recursive: true }));
const home = (name: string) => join(folder, name);

test('the first start makes a key that only its owner can read, and later starts use it', () => {
  const made = loadMasterKeys(home('new'), {});
  expect(statSync(join(home('new'), 'master.key')).mode & 0o777).toBe(0o600);
  expect(loadMasterKeys(home('new'), {}).current.id).toBe(made.current.id);
});

test('a key file that others can read stops the start', () => {
  loadMasterKeys(home('open'), {});
  chmodSync(join(home('open'), 'master.key'), 0o644);
  expect(() => loadMasterKeys(home('open'), {})).toThrow(/chmod 600/);
});

test('the environment comes before the file, in base64 or hex, and a short key is refused by its name', () => {
  const hex = 'ab'.repeat(32);
  const base64 = Buffer.from(hex, 'hex').toString('base64');
  const fromHex = loadMasterKeys(home('unused'), { KITH_MASTER_KEY: hex });
  expect(loadMasterKeys(home('unused'), { KITH_MASTER_KEY: base64 }).current.id).toBe(fromHex.current.id);
  expect(fromHex.file).toBeUndefined();
  expect(() => loadMasterKeys(home('unused'), { KITH_MASTER_KEY: 'short' })).toThrow(/KITH_MASTER_KEY/);
  const both = loadMasterKeys(home('unused'), { KITH_MASTER_KEY: 'cd'.repeat(32), KITH_MASTER_KEY_PREVIOUS: hex });
  expect(both.previous.map(({ id }) => id)).toEqual([fromHex.current.id]);
});

test('a new key stands in front of the old one until the old one is dropped', () => {
  const before = loadMasterKeys(home('rotated'), {});
  const during = addMasterKey(before);
  expect(loadMasterKeys(home('rotated'), {})).toMatchObject({
    current: { id: during.current.id },
    previous: [{ id: before.current.id }],
  });
  dropPreviousKeys(during);
  expect(loadMasterKeys(home('rotated'), {}).previous).toEqual([]);
  expect(readFileSync(join(home('rotated'), 'master.key'), 'utf8')).not.toContain(
    before.current.bytes.toString('base64'),
  );
});

test('a key from the environment is not rotated behind its back', () => {
  const keys = loadMasterKeys(home('unused'), { KITH_MASTER_KEY: 'ab'.repeat(32) });
  expect(() => addMasterKey(keys)).toThrow(/KITH_MASTER_KEY_PREVIOUS/);
});
