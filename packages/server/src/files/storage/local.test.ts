import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { describeStorage } from './conformance.ts';
import { localStorage } from './local.ts';

const folder = mkdtempSync(join(tmpdir(), 'kith-local-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeStorage('local', async () => localStorage(folder));
