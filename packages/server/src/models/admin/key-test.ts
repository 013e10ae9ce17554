import type { KeyTestResult } from '@kith/protocol';
import type { Database } from '../../db/index.ts';
import { errors } from '../../errors/index.ts';
import { startAttemptClock } from '../call/attempt-clock.ts';
import type { ChatServices } from '../call/chat-call.ts';
import { asFailure } from '../call/outcome-error.ts';
import { compileTemplate } from '../parsers/template.ts';
import { exchangeJson } from '../wire/templated.ts';

const listModels = compileTemplate({ method: 'GET', path: '/models', headers: {} }, 'request_template');
const TEST_MS = 15_000;

/** Asks the vendor for its list of models with this key: free of charge, and refused for a bad one. */
export function keyTester({ sql }: Database, { snapshot, secrets, transport, now }: ChatServices) {
  return async (keyId: string): Promise<KeyTestResult> => {
    const { keys, endpoints } = snapshot();
    const key = [...keys.values()].flat().find(({ id }) => id === keyId);
    if (!key) throw errors.KEY_NOT_FOUND({ detail: keyId });
    const endpoint = endpoints.get(key.vendorId)?.find(({ enabled }) => enabled);
    if (!endpoint) throw errors.ENDPOINT_NOT_FOUND({ detail: `${key.vendorId} has no enabled endpoint` });
    const secret = secrets.open(key.secret, key.id);
    const clock = startAttemptClock(TEST_MS, undefined);
    const startedAt = now().getTime();
    const error = await testing();
    clock.end();
    await sql`
      update vendor_keys set last_error = ${error}, last_error_at = ${error === null ? null : now()} where id = ${keyId}`;
    return { ok: error === null, latency_ms: now().getTime() - startedAt, error };

    async function testing(): Promise<string | null> {
      if (secret === undefined) return 'cannot be opened with this master key';
      try {
        await exchangeJson(
          transport,
          listModels,
          {},
          { baseUrl: endpoint?.baseUrl ?? '', secret, signal: clock.signal },
        );
        return null;
      } catch (thrown) {
        const failure = asFailure(thrown, secrets.scrub);
        // A vendor without such a list has still looked at the key first.
        if (failure.status === 404 || failure.status === 405) return null;
        return `${failure.kind}: ${failure.message}`;
      }
    }
  };
}
