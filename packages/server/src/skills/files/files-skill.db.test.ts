import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { Config } from '../../config/index.ts';
import { createFiles } from '../../files/index.ts';
import { createLog } from '../../observability/index.ts';
import { createSkills } from '../create-skills.ts';
import { callerFor } from '../test-caller.ts';

const database = await testDatabase();
const log = createLog('silent');
const config = Config.parse({ home: mkdtempSync(join(tmpdir(), 'kith-files-skill-')) });
const files = await createFiles({ database, config, log });
const skills = await createSkills({ config, log, files });
const call = callerFor(database, skills);
afterAll(() => files.close());
const ann = { userId: 'ann' };
const file = await files.store('ann', {
  name: 'contract.txt',
  mediaType: 'text/plain',
  bytes: Readable.from([Buffer.from('The contract ends on the first of May.')]),
});

test('a file is read, and its passages are found', async () => {
  const read = await call(ann, 'files.read', { file_id: file.id });
  expect(read).toMatchObject({
    status: 'success',
    result: { file_id: file.id, name: 'contract.txt', text: 'The contract ends on the first of May.' },
  });
  const found = await call(ann, 'files.search', { query: 'contract ends' });
  expect(found).toMatchObject({
    result: { count: 1, passages: [{ file_id: file.id, name: 'contract.txt' }] },
    ui_hints: { kind: 'files.passages' },
  });
});

test.each([
  [{ file_id: 'nope' }, 'FILE_NOT_FOUND', undefined],
  [{ file_id: file.id, pages: 'all' }, 'INPUT_INVALID', 'pages'],
  [{ file_id: file.id, pages: [0] }, 'INPUT_INVALID', 'pages.0'],
  [{ id: file.id }, 'INPUT_INVALID', 'file_id'],
])('files.read %j fails as %s', async (input, code, field) => {
  const { status, error } = await call(ann, 'files.read', input);
  expect({ status, code: error?.code, field: error?.field }).toEqual({ status: 'failure', code, field });
});
