import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { FileInfo, FilePage, FilePassages, FileText, Problem } from '@kith/protocol';
import { describe, expect, test } from 'vitest';
import { testKith } from '../../../test/kith.ts';

const kith = await testKith({ config: { files: { maxBytes: 1_000_000 }, server: { rateLimit: { max: 100_000 } } } });
const zhangsan = kith.as('zhangsan');
const lisi = kith.as('lisi');
const base = '/api/v1/files';

const sendForm = async (user: typeof zhangsan, name: string, bytes: BlobPart, query = '') => {
  const form = new FormData();
  form.set('file', new File([bytes], name));
  return user.fetch(`${base}${query}`, { method: 'POST', body: form });
};
const sendRaw = (name: string, bytes: BodyInit, type = 'application/octet-stream') =>
  zhangsan.fetch(`${base}?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    body: bytes,
    headers: { 'content-type': type },
  });
const stored = async (response: Response) => {
  expect(response.status).toBe(201);
  return FileInfo.parse(await response.json());
};
const problem = async (response: Response) => Problem.parse(await response.json());

describe('sending a file', () => {
  test('in a form gives back what was read of it', async () => {
    const file = await stored(await sendForm(zhangsan, '会议纪要.md', '# 会议纪要\n\n明天上午十点开会。'));
    expect(file).toMatchObject({
      name: '会议纪要.md',
      kind: 'document',
      status: 'ready',
      summary: { title: '会议纪要' },
    });
    expect((await zhangsan.get(`${base}/${file.id}`)).body).toEqual(file);
  });

  test('raw, whatever type it says it is', async () => {
    const table = await stored(await sendRaw('data.csv', 'a,b\n1,2\n', 'text/csv'));
    expect(table).toMatchObject({ media_type: 'text/csv', summary: { sheets: [{ columns: ['a', 'b'] }] } });
    const json = await stored(await sendRaw('data.json', '{"a": 1}', 'application/json'));
    expect(json).toMatchObject({ media_type: 'text/plain', name: 'data.json' });
  });

  test('that is too large is refused while it comes in', async () => {
    for (const send of [
      () => sendRaw('a.txt', 'x'.repeat(3_000_000)),
      () => sendForm(zhangsan, 'a.txt', 'x'.repeat(3_000_000)),
    ]) {
      const response = await send();
      expect(response.status).toBe(413);
      expect(await problem(response)).toMatchObject({ code: 'FILE_TOO_LARGE' });
    }
  });

  test('of a type that is not accepted is refused', async () => {
    const response = await sendForm(zhangsan, 'tool.exe', Buffer.concat([Buffer.from('MZ'), randomBytes(2000)]));
    expect(response.status).toBe(415);
    expect(await problem(response)).toMatchObject({ code: 'FILE_TYPE_REFUSED' });
  });

  test('that is broken is no error of the request', async () => {
    const file = await stored(await sendForm(zhangsan, 'broken.pdf', '%PDF-1.7 and nothing more'));
    expect(file).toMatchObject({ status: 'failed', error: { code: 'FILE_BROKEN' } });
  });

  test('with nothing in the form is refused by the field', async () => {
    const form = new FormData();
    form.set('note', 'no file');
    const response = await zhangsan.fetch(base, { method: 'POST', body: form });
    expect(response.status).toBe(400);
    expect(await problem(response)).toMatchObject({ code: 'REQUEST_INVALID', errors: [{ field: 'file' }] });
  });

  test('in a form that is none, or that ends too soon, is a fault of the request', async () => {
    const type = 'multipart/form-data; boundary=x';
    const cut = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf';
    for (const [body, contentType] of [
      [cut, type],
      ['', type],
      ['x', 'multipart/form-data'],
    ] as const) {
      const response = await zhangsan.fetch(base, { method: 'POST', body, headers: { 'content-type': contentType } });
      expect(response.status).toBe(400);
      expect(await problem(response)).toMatchObject({ code: 'REQUEST_INVALID' });
    }
  });

  test('to a session shows there, and nobody can send to one that is not theirs', async () => {
    await zhangsan.post('/api/v1/agent/sessions', { thread_id: 'with-files' });
    const file = await stored(await sendForm(zhangsan, 'a.txt', 'a', '?thread_id=with-files'));
    const page = (await zhangsan.get(`${base}?thread_id=with-files`)).read(FilePage);
    expect(page.files.map(({ id }) => id)).toEqual([file.id]);
    const state = await zhangsan.get('/api/v1/agent/sessions/with-files/state');
    expect(state.body).toMatchObject({ origin_files: [{ file_id: file.id, name: 'a.txt' }] });
    expect((await sendForm(lisi, 'b.txt', 'b', '?thread_id=with-files')).status).toBe(404);
    expect((await lisi.get(`${base}?thread_id=with-files`)).status).toBe(404);
  });

  test('that stops in the middle harms nobody', async () => {
    const { hostname, port } = new URL(kith.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${base}?name=a.txt HTTP/1.1\r\nhost: ${hostname}:${port}\r\nx-user-id: zhangsan\r\ncontent-type: text/plain\r\ncontent-length: 1000\r\n\r\nhalf`,
      () => socket.destroy(),
    );
    await new Promise((resolve) => socket.once('close', resolve));
    expect((await sendRaw('after.txt', 'still here')).status).toBe(201);
  });
});

describe('fetching a file', () => {
  test('gives the bytes to keep, never a page to show', async () => {
    const page = '<script>alert(document.domain)</script>';
    const file = await stored(await sendForm(zhangsan, 'evil"; filename="x.html', page));
    const response = await zhangsan.fetch(`${base}/${file.id}/content`);
    expect(await response.text()).toBe(page);
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(response.headers.get('content-length')).toBe(String(page.length));
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[^"]*"; filename\*=UTF-8''[\w.%-]+$/,
    );
  });

  test('gives its text by pages, and finds passages', async () => {
    const file = await stored(await sendRaw('制度.txt', '年假为每年十五天。', 'text/plain'));
    expect((await zhangsan.get(`${base}/${file.id}/text?pages=1`)).read(FileText)).toMatchObject({
      text: '年假为每年十五天。',
      total_pages: 1,
    });
    expect((await zhangsan.get(`${base}/${file.id}/text?pages=7`)).status).toBe(400);
    const found = (await zhangsan.get(`${base}/search?q=${encodeURIComponent('年假')}`)).read(FilePassages);
    expect(found.passages[0]).toMatchObject({ file_id: file.id, name: '制度.txt' });
  });

  test('is for its owner alone', async () => {
    const file = await stored(await sendRaw('secret.txt', 'aqueduct'));
    for (const path of ['', '/content', '/text']) {
      const answer = await lisi.get(`${base}/${file.id}${path}`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'FILE_NOT_FOUND' } });
    }
    expect((await lisi.delete(`${base}/${file.id}`)).status).toBe(404);
    expect((await lisi.get(`${base}/search?q=aqueduct`)).body).toEqual({ count: 0, passages: [] });
    expect((await zhangsan.delete(`${base}/${file.id}`)).status).toBe(204);
    expect((await zhangsan.get(`${base}/${file.id}/content`)).status).toBe(404);
  });
});
