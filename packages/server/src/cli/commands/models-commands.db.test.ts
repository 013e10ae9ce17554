import { Readable } from 'node:stream';
import { KeyView } from '@kith/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testDatabaseAddress } from '../../../test/database.ts';
import { temporaryHome } from '../../../test/models.ts';
import { startEmbedded } from '../../db/index.ts';
import { runProgram } from '../program.ts';

const address = await testDatabaseAddress();
const home = temporaryHome();
// A command finds an embedded database by its home, where a server has it open.
const embedded = address.kind === 'embedded' ? await startEmbedded(home) : undefined;
afterAll(() => embedded?.stop());

/** A command line as a user types it, on a home of its own. */
async function kith(line: string, input = '') {
  let out = '';
  let complaints = '';
  const code = await runProgram(line.split(' '), {
    environment: {
      KITH_HOME: home,
      ...(address.kind === 'server' ? { DATABASE_URL: address.url } : {}),
    },
    workingFolder: home,
    input: Readable.from(input === '' ? [] : [input]),
    write: (text) => {
      out += text;
    },
    complain: (text) => {
      complaints += text;
    },
  });
  return { code, out, complaints, json: () => JSON.parse(out) };
}

describe('kith price', () => {
  test('prices line by line, and says which line it cannot read', async () => {
    const usage = {
      prompt_tokens: 495,
      completion_tokens: 144,
      prompt_cache_hit_tokens: 320,
      prompt_cache_miss_tokens: 175,
    };
    const line = (model: string) => JSON.stringify({ model, at: '2026-11-16T08:59:59+08:00', usage });
    const good = await kith('price', `${line('deepseek-flash')}\n\n${line('nobody-knows')}\n`);
    expect(good.code).toBe(0);
    expect(
      good.out
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text)),
    ).toEqual([
      { currency: 'CNY', total: '0.0007574', cost_source: 'catalog_fallback', card: expect.stringContaining('#off') },
      { currency: 'CNY', total: null, cost_source: 'unpriced', card: null },
    ]);
    expect(await kith('price', 'nonsense\n')).toMatchObject({ code: 1, out: expect.stringContaining('LINE_NOT_JSON') });
  });
});

describe('kith keys', () => {
  test('takes the secret from standard input, shows its beginning, and knows the vendors by name', async () => {
    const added = await kith(
      '--json keys add deepseek --label main --serves vip,staff --rpm 60 --budget 99.5',
      'sk-0123456789abcdef\n',
    );
    expect(added.code).toBe(0);
    expect(KeyView.parse(added.json())).toMatchObject({
      vendor_id: 'deepseek',
      prefix: 'sk-0…',
      serves: ['vip', 'staff'],
      requests_per_minute: 60,
      monthly_budget: '99.5',
      source: 'api',
    });
    const list = await kith('keys list');
    expect(list.out).toContain('deepseek/main');
    expect(list.out + added.out).not.toContain('0123456789abcdef');
    expect(await kith('keys add deepseek --label main', 'sk-0123456789abcdef')).toMatchObject({ code: 1 });
    expect(await kith('keys add nobody', 'sk-0123456789abcdef')).toMatchObject({
      code: 5,
      complaints: expect.stringContaining('deepseek'),
    });
    expect(await kith('keys add deepseek --label empty')).toMatchObject({ code: 2 });
  });

  test('rotates a key and the master key', async () => {
    expect(await kith('keys rotate deepseek/main', 'sk-another-secret-1')).toMatchObject({
      code: 0,
      out: expect.stringContaining('sk-a'),
    });
    expect(await kith('keys rotate deepseek/nobody', 'sk-another-secret-1')).toMatchObject({ code: 5 });
    const rotated = await kith('--json keys rotate-master');
    expect(z.object({ rewrapped: z.number(), unreadable: z.number() }).parse(rotated.json())).toEqual({
      rewrapped: 1,
      unreadable: 0,
    });
    expect(await kith('--json keys rotate-master')).toMatchObject({ code: 0 });
  });

  test('proves that the ledgers agree', async () => {
    expect(await kith('reconcile')).toMatchObject({ code: 0, out: expect.stringContaining('0 sessions') });
    expect((await kith('--json reconcile')).json()).toEqual({ equal: true, sessions: 0, differences: [] });
  });
});
