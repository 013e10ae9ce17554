import type { Sql } from '../../db/index.ts';
import { masterIdOf, rewrapSecret } from './envelope.ts';
import { addMasterKey, dropPreviousKeys, type MasterKeys } from './master-keys.ts';

export interface MasterRotation {
  masterKeys: MasterKeys;
  rewrapped: number;
  /** Keys that none of our master keys opens: they stay as they are, and so do the older master keys. */
  unreadable: number;
}

/**
 * A new master key. The file first holds both, so that a server under way can read rows of either kind when it looks
 * again; the old one is forgotten when no row needs it.
 */
export async function rotateMasterKey(sql: Sql, before: MasterKeys): Promise<MasterRotation> {
  // Given by the environment, the new key is there already and the old one beside it.
  const keys = before.file === undefined ? before : addMasterKey(before);
  const { rewrapped, unreadable } = await sql.begin(async (transaction) => {
    const rows = await transaction<{ id: string; secret: string }[]>`select id, secret from vendor_keys for update`;
    const old = rows.filter(({ secret }) => masterIdOf(secret) !== keys.current.id);
    let done = 0;
    for (const { id, secret } of old) {
      const sealed = rewrapSecret(secret, `vendor_keys/${id}`, keys);
      if (sealed === undefined) continue;
      await transaction`update vendor_keys set secret = ${sealed} where id = ${id}`;
      done += 1;
    }
    return { rewrapped: done, unreadable: old.length - done };
  });
  return { masterKeys: unreadable === 0 ? dropPreviousKeys(keys) : keys, rewrapped, unreadable };
}
