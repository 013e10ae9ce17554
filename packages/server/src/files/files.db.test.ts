import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { OriginFile, PreprocessedFiles } from '@kith/protocol';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { Config } from '../config/index.ts';
import { createLog } from '../observability/index.ts';
import { createFiles } from './files.ts';
import { overlappingBomb, pdf, png, xlsx } from './samples.ts';
import { startS3Server } from './storage/s3-server.ts';

let readings = 0;
const database = await testDatabase((_connection, statement) => {
  if (statement.includes('insert into file_chunks')) readings += 1;
});
const { sql } = database;
const home = mkdtempSync(join(tmpdir(), 'kith-files-'));
const config = Config.parse({ home, files: { maxBytes: 2_000_000 } });
const files = await createFiles({ database, config, log: createLog('silent') });
afterAll(async () => {
  await files.close();
  rmSync(home, { recursive: true, force: true });
});
beforeEach(() => sql`truncate files, sessions cascade`);

const send = (name: string, bytes: Buffer | string, options: { user?: string; sessionId?: string } = {}) =>
  files.store(
    options.user ?? 'zhangsan',
    { name, bytes: Readable.from([Buffer.from(bytes)]) },
    { sessionId: options.sessionId },
  );
const session = async (user = 'zhangsan') => {
  const [row] = await sql<{ id: string }[]>`
    insert into sessions (user_id, thread_id) values (${user}, ${randomUUID()}) returning id`;
  return row?.id ?? '';
};
const chunkCount = async () => (await sql`select 1 from file_chunks`).length;

describe('an uploaded file', () => {
  test('is kept byte for byte, and read', async () => {
    const bytes = pdf(['Quarterly report', '第二页：营收增长'], { title: '季度报告' });
    const file = await send('季度报告.pdf', bytes);
    expect(file).toMatchObject({
      name: '季度报告.pdf',
      media_type: 'application/pdf',
      kind: 'document',
      size: bytes.length,
      status: 'ready',
      error: null,
      summary: { kind: 'document', title: '季度报告', pages: 2 },
    });
    const { bytes: stream } = await files.open('zhangsan', file.id);
    expect((await buffer(stream)).equals(bytes)).toBe(true);
    expect(await files.get('zhangsan', file.id)).toEqual(file);
  });

  test('is nowhere under the name it came with', async () => {
    const file = await send('../../../outside.txt', 'x');
    expect(file.name).toBe('outside.txt');
    expect(existsSync(join(home, '..', 'outside.txt'))).toBe(false);
    expect(readFileSync(join(home, 'files', file.id.slice(0, 2), file.id), 'utf8')).toBe('x');
    expect(readdirSync(join(home, 'files', 'incoming'))).toEqual([]);
  });

  test('that is too large or of a type that is not accepted leaves nothing behind', async () => {
    await expect(send('big.txt', 'x'.repeat(2_000_001))).rejects.toMatchObject({ code: 'FILE_TOO_LARGE', status: 413 });
    await expect(send('a.pdf', 'no pdf')).rejects.toMatchObject({ code: 'FILE_TYPE_REFUSED', status: 415 });
    expect(readdirSync(join(home, 'files', 'incoming'))).toEqual([]);
    expect((await files.list('zhangsan')).files).toEqual([]);
  });

  test('that breaks off on the way leaves nothing behind', async () => {
    const bytes = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('connection lost');
      })(),
    );
    await expect(files.store('zhangsan', { name: 'a.txt', bytes })).rejects.toThrow('connection lost');
    expect(readdirSync(join(home, 'files', 'incoming'))).toEqual([]);
  });

  test('that is hostile is kept with what is wrong with it, and no passage of it', async () => {
    const file = await send('bomb.docx', overlappingBomb(200, 20));
    expect(file).toMatchObject({ status: 'failed', error: { code: 'FILE_EXPANDS_TOO_MUCH' }, summary: null });
    expect(await chunkCount()).toBe(0);
    await expect(files.read('zhangsan', file.id)).rejects.toMatchObject({ code: 'FILE_NOT_READABLE' });
  });

  test('is deleted with its bytes and passages', async () => {
    const { id } = await send('a.txt', 'some text');
    expect(await chunkCount()).toBe(1);
    await files.delete('zhangsan', id);
    expect(await chunkCount()).toBe(0);
    expect(existsSync(join(home, 'files', id.slice(0, 2), id))).toBe(false);
    await expect(files.delete('zhangsan', id)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });

  test('that a dead process was reading is read by the next who needs it', async () => {
    const sessionId = await session();
    const { id } = await send('a.txt', 'some text', { sessionId });
    await sql`update files set status = 'processing', summary = null, processing_until = now() - interval '1 second'`;
    const { preprocessed_files } = await files.forSession('zhangsan', sessionId);
    expect(preprocessed_files.documents[id]).toMatchObject({ status: 'ready', excerpt: 'some text' });
    expect(await chunkCount()).toBe(1);
  });

  test('is read once although several need it', async () => {
    const sessionId = await session();
    await files.saveOutput('zhangsan', sessionId, 'a.md', 'text/markdown', Buffer.from('# A'));
    const others = Array.from({ length: 5 }, () => createFiles({ database, config, log: createLog('silent') }));
    const processes = [files, ...(await Promise.all(others))];
    readings = 0;
    const seen = await Promise.all(processes.flatMap((one) => [1, 2].map(() => one.forSession('zhangsan', sessionId))));
    await Promise.all(processes.slice(1).map((one) => one.close()));
    expect(readings).toBe(1);
    for (const { preprocessed_files } of seen) {
      expect(Object.values(preprocessed_files.documents)).toMatchObject([{ status: 'ready' }]);
    }
    expect(await chunkCount()).toBe(1);
  });
});

describe('a session', () => {
  test('knows its files by summaries, in the shapes of the RuntimeState', async () => {
    const sessionId = await session();
    const document = await send('报告.pdf', pdf(['第一页']), { sessionId });
    const table = await send('sales.xlsx', await xlsx([{ 地区: '华东', amount: 3 }]), { sessionId });
    const image = await send('photo.png', png, { sessionId });
    const broken = await send('broken.docx', Buffer.from('504b0304', 'hex'), { sessionId });
    const { origin_files, preprocessed_files } = await files.forSession('zhangsan', sessionId);

    expect(origin_files.map((file) => OriginFile.parse(file).name)).toEqual([
      '报告.pdf',
      'sales.xlsx',
      'photo.png',
      'broken.docx',
    ]);
    expect(origin_files[0]).toEqual({
      file_id: document.id,
      name: '报告.pdf',
      type: 'application/pdf',
      local_path: `files/${document.id.slice(0, 2)}/${document.id}`,
      mapping: { provider: 'local', path: `${document.id.slice(0, 2)}/${document.id}` },
    });
    const { documents, tables, other_files } = PreprocessedFiles.parse(preprocessed_files);
    expect(documents[document.id]).toMatchObject({ name: '报告.pdf', status: 'ready', pages: 1, excerpt: '第一页' });
    expect(documents[broken.id]).toMatchObject({ status: 'failed', error: { code: 'FILE_BROKEN' } });
    expect(tables[table.id]).toMatchObject({ sheets: [{ columns: ['地区', 'amount'], row_count: 1 }] });
    expect(other_files[image.id]).toMatchObject({ metadata: { format: 'png', width: 3, height: 2 } });
  });

  test('shares a file with another, in the order they were attached', async () => {
    const [first, second] = [await session(), await session()];
    const a = await send('a.txt', 'a');
    const b = await send('b.txt', 'b');
    await files.attach(sql, 'zhangsan', first, [b.id, a.id, b.id]);
    await sql.begin((transaction) => files.attach(transaction, 'zhangsan', second, [a.id]));
    await files.attach(sql, 'zhangsan', first, [a.id]);
    const names = async (id: string) => (await files.forSession('zhangsan', id)).origin_files.map((file) => file.name);
    expect(await names(first)).toEqual(['b.txt', 'a.txt']);
    expect(await names(second)).toEqual(['a.txt']);
    expect((await files.list('zhangsan', { sessionId: second })).files).toHaveLength(1);
  });

  test('is given what a run made, once', async () => {
    const sessionId = await session();
    const save = () => files.saveOutput('zhangsan', sessionId, '周报.md', 'text/markdown', Buffer.from('# 周报'));
    const saved = await save();
    expect(saved).toEqual({
      file_id: saved.file_id,
      name: '周报.md',
      size: 8,
      url: `/api/v1/files/${saved.file_id}/content`,
    });
    expect(await save()).toEqual(saved);
    const { preprocessed_files } = await files.forSession('zhangsan', sessionId);
    expect(preprocessed_files.documents[saved.file_id]).toMatchObject({ title: '周报', status: 'ready' });
  });

  test('that is deleted leaves its files to their user', async () => {
    const sessionId = await session();
    const { id } = await send('a.txt', 'a', { sessionId });
    await sql`delete from sessions where id = ${sessionId}`;
    expect(await files.get('zhangsan', id)).toMatchObject({ name: 'a.txt' });
  });
});

describe('reading', () => {
  test('gives the pages that are asked for', async () => {
    const { id } = await send('a.pdf', pdf(['one', 'two', 'three', 'four']));
    const read = (pages?: string | number[]) => files.read('zhangsan', id, pages);
    expect(await read('2-3')).toEqual({
      file_id: id,
      name: 'a.pdf',
      text: 'two\n\nthree',
      pages: [2, 3],
      total_pages: 4,
      truncated: false,
    });
    expect((await read([4, 1])).text).toBe('one\n\nfour');
    expect((await read('3-99')).pages).toEqual([3, 4]);
    expect((await read()).text).toBe('one\n\ntwo\n\nthree\n\nfour');
    for (const pages of ['0', '9', 'a', '3-2', '']) {
      await expect(read(pages)).rejects.toMatchObject({ code: 'REQUEST_INVALID', fields: [{ field: 'pages' }] });
    }
  });

  test('gives a table with the heads of its columns', async () => {
    const { id } = await send('sales.csv', '地区,amount\n华东,3\n华南,4\n');
    expect((await files.read('zhangsan', id)).text).toBe('# csv\n地区 | amount\n华东 | 3\n华南 | 4\n');
  });

  test('gives no more than a prompt can take, and says so', async () => {
    const text = '一句话。'.repeat(20_000);
    const { id } = await send('long.txt', text);
    const read = await files.read('zhangsan', id);
    expect(read.truncated).toBe(true);
    expect(read.text.length).toBeLessThanOrEqual(21_000);
    expect(read.total_pages).toBeGreaterThan(10);
    const last = await files.read('zhangsan', id, [read.total_pages]);
    expect(last.truncated).toBe(false);
    expect(text.endsWith(last.text)).toBe(true);
  });

  test('works inside a transaction, on the one connection that is there', async () => {
    const { id } = await send('a.txt', 'inside');
    await sql.begin(async (transaction) => {
      expect((await files.read('zhangsan', id, undefined, transaction)).text).toBe('inside');
      expect(await files.search('zhangsan', 'inside', { sql: transaction })).toHaveLength(1);
    });
  });
});

describe('searching', () => {
  test('finds the passage that fits best, in Chinese and English', async () => {
    const filler = Array.from({ length: 40 }, (_, index) => `第${index}段：公司的一般规定与说明，供员工参考。`).join(
      '\n',
    );
    const rules = await send('制度.md', `# 制度\n\n${filler}\n\n年假为每年十五天，需提前一周申请。\n\n${filler}`);
    await send('notes.txt', 'The offsite takes place in Hangzhou. Bring a jacket.');
    const [annual] = await files.search('zhangsan', '年假有多少天');
    expect(annual).toMatchObject({ file_id: rules.id, name: '制度.md', page: 1 });
    expect(annual?.text).toContain('年假为每年十五天');
    const [offsite] = await files.search('zhangsan', 'where is the offsite?');
    expect(offsite?.text).toContain('Hangzhou');
    expect(await files.search('zhangsan', '???')).toEqual([]);
    expect(await files.search('zhangsan', 'zebra')).toEqual([]);
  });

  test('ranks a rare word above a common one', async () => {
    const common = Array.from({ length: 30 }, (_, index) => `meeting ${index} meeting meeting`).join('\n\n');
    await send('common.txt', common.repeat(20));
    const rare = await send('rare.txt', 'one meeting about the aqueduct');
    const [first] = await files.search('zhangsan', 'meeting aqueduct');
    expect(first?.file_id).toBe(rare.id);
  });

  test('finds a row of a table by the head of its column', async () => {
    await send('people.csv', 'name,telephone\n张三,12345\n');
    const [row] = await files.search('zhangsan', 'telephone 张三');
    expect(row?.text).toBe('# csv\nname | telephone\n张三 | 12345\n');
  });

  test('may be kept to the files of a session', async () => {
    const sessionId = await session();
    await send('a.txt', 'budget of team a', { sessionId });
    await send('b.txt', 'budget of team b');
    const found = await files.search('zhangsan', 'budget', { sessionId });
    expect(found.map((passage) => passage.name)).toEqual(['a.txt']);
    expect(await files.search('zhangsan', 'budget')).toHaveLength(2);
  });
});

test('nobody sees, reads, finds, attaches or deletes a file of somebody else', async () => {
  const mine = await session('zhangsan');
  const theirs = await session('lisi');
  const { id } = await send('secret.txt', 'the secret word is aqueduct', { sessionId: mine });
  const attempts = [
    () => files.get('lisi', id),
    () => files.open('lisi', id),
    () => files.read('lisi', id),
    () => files.delete('lisi', id),
    () => files.attach(sql, 'lisi', theirs, [id]),
    () => files.get('lisi', 'no-id'),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect(await files.list('lisi')).toEqual({ files: [], next_cursor: null });
  expect(await files.list('lisi', { sessionId: mine })).toEqual({ files: [], next_cursor: null });
  expect(await files.search('lisi', 'aqueduct')).toEqual([]);
  expect(await files.search('lisi', 'aqueduct', { sessionId: mine })).toEqual([]);
  expect((await files.forSession('lisi', mine)).origin_files).toEqual([]);
  // Attaching one's own file to the session of somebody else does nothing.
  const own = await send('own.txt', 'x', { user: 'lisi' });
  await files.attach(sql, 'lisi', mine, [own.id]);
  expect((await files.forSession('zhangsan', mine)).origin_files).toHaveLength(1);
});

test('the same on a store that speaks S3', async () => {
  const account = { accessKeyId: 'id', secretAccessKey: 'secret' };
  const server = await startS3Server(account);
  const storage = {
    provider: 'aliyun',
    bucket: 'kith',
    endpoint: server.endpoint,
    region: 'cn-hangzhou',
    forcePathStyle: true,
  } as const;
  const remote = await createFiles({
    database,
    config: Config.parse({ home, files: { storage } }),
    log: createLog('silent'),
    environment: { S3_ACCESS_KEY_ID: account.accessKeyId, S3_SECRET_ACCESS_KEY: account.secretAccessKey },
  });
  const sessionId = await session();
  const upload = { name: 'a.txt', bytes: Readable.from([Buffer.from('far away')]) };
  const file = await remote.store('zhangsan', upload, { sessionId });
  const path = `${file.id.slice(0, 2)}/${file.id}`;
  expect(file).toMatchObject({ status: 'ready', summary: { excerpt: 'far away' } });
  expect(server.keys()).toEqual([`/kith/${path}`]);
  expect((await buffer((await remote.open('zhangsan', file.id)).bytes)).toString()).toBe('far away');
  expect((await remote.forSession('zhangsan', sessionId)).origin_files).toEqual([
    { file_id: file.id, name: 'a.txt', type: 'text/plain', mapping: { provider: 'aliyun', path } },
  ]);
  await remote.delete('zhangsan', file.id);
  expect(server.keys()).toEqual([]);
  await remote.close();
  await server.stop();
});

test('a list is read in pages, newest first, none lost and none repeated', async () => {
  const sessionId = await session();
  for (let index = 0; index < 5; index += 1) {
    await files.saveOutput('zhangsan', sessionId, `${index}.md`, 'text/markdown', Buffer.from(`${index}`));
  }
  await sql`update files set created_at = '2026-11-16T00:00:00.123456Z'`;
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await files.list('zhangsan', { limit: 2, cursor });
    seen.push(...page.files.map((file) => file.name));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  expect(seen.toSorted()).toEqual(['0.md', '1.md', '2.md', '3.md', '4.md']);
  await expect(files.list('zhangsan', { cursor: 'x' })).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
});
