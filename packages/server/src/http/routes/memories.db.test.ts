import { MemoryExport, MemoryPage, StoredMemory } from '@kith/protocol';
import { describe, expect, test } from 'vitest';
import { testKith } from '../../../test/kith.ts';

const kith = await testKith();
const zhangsan = kith.as('zhangsan');
const lisi = kith.as('lisi');
const base = '/api/v1/memories';

describe('memories', () => {
  test('are added once, found by their words, corrected and forgotten', async () => {
    const added = await zhangsan.post(base, { content: '喜欢喝龙井茶', kind: 'preference' });
    expect(added.status).toBe(201);
    expect((await zhangsan.post(base, { content: '喜欢喝龙井茶', kind: 'preference' })).status).toBe(200);
    const { id } = added.read(StoredMemory);
    const found = (await zhangsan.get(`${base}?q=${encodeURIComponent('龙井')}`)).read(MemoryPage);
    expect(found).toMatchObject({ memories: [{ id, source: { by: 'user' } }], next_cursor: null });
    const corrected = (await zhangsan.patch(`${base}/${id}`, { content: '喜欢喝普洱茶' })).read(StoredMemory);
    expect((await zhangsan.get(base)).read(MemoryPage).memories).toMatchObject([{ content: '喜欢喝普洱茶' }]);
    expect((await zhangsan.get(`${base}?status=all`)).read(MemoryPage).memories).toHaveLength(2);
    expect((await zhangsan.get(`${base}/export`)).read(MemoryExport).memories).toHaveLength(2);
    expect(await zhangsan.patch(`${base}/${id}`, { content: 'x' })).toMatchObject({ status: 409 });
    expect((await zhangsan.delete(`${base}/${corrected.id}`)).status).toBe(204);
    expect((await zhangsan.get(`${base}/export`)).read(MemoryExport).memories).toEqual([]);
  });

  test('of somebody else are not there', async () => {
    const { id } = (await zhangsan.post(base, { content: '住在上海' })).read(StoredMemory);
    expect((await lisi.get(base)).read(MemoryPage).memories).toEqual([]);
    for (const answer of [
      await lisi.get(`${base}/${id}`),
      await lisi.patch(`${base}/${id}`, { content: 'x' }),
      await lisi.delete(`${base}/${id}`),
      await lisi.get(`${base}/not-an-id`),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'MEMORY_NOT_FOUND' } });
    }
    expect((await lisi.delete(base)).body).toEqual({ forgotten: 0 });
    expect((await zhangsan.delete(base)).body).toEqual({ forgotten: 1 });
  });

  test('come page by page, and by kind', async () => {
    for (let at = 0; at < 5; at++) await lisi.post(base, { content: `第${at}件事` });
    await lisi.post(base, { content: '回答要简短', kind: 'preference' });
    const first = (await lisi.get(`${base}?limit=4`)).read(MemoryPage);
    const rest = (await lisi.get(`${base}?limit=4&cursor=${first.next_cursor}`)).read(MemoryPage);
    expect(first.memories[0]?.content).toBe('回答要简短');
    expect(new Set([...first.memories, ...rest.memories].map(({ id }) => id)).size).toBe(6);
    expect(rest.next_cursor).toBeNull();
    expect((await lisi.get(`${base}?kind=preference`)).read(MemoryPage).memories).toHaveLength(1);
    const found = (await lisi.get(`${base}?kind=fact&q=${encodeURIComponent('第3件事 回答')}`)).read(MemoryPage);
    expect(found.memories[0]).toMatchObject({ content: '第3件事', score: expect.any(Number) });
    expect(found.memories.every(({ kind }) => kind === 'fact')).toBe(true);
    await lisi.delete(base);
  });

  test.each(['kind=opinion', 'limit=0', 'limit=1000', 'cursor=nonsense', 'q=', 'sort=old'])(
    'a query that makes no sense is refused by its field: %s',
    async (query) => {
      const [field] = query.split('=');
      expect(await zhangsan.get(`${base}?${query}`)).toMatchObject({ status: 400, body: { errors: [{ field }] } });
    },
  );

  test('can be taken along as a file', async () => {
    await zhangsan.post(base, { content: '"引号" and\nlines' });
    const file = await zhangsan.get(`${base}/export`);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="memories.json"');
    expect(file.read(MemoryExport)).toMatchObject({
      user_id: 'zhangsan',
      memories: [{ content: '"引号" and\nlines' }],
    });
    await zhangsan.delete(base);
    expect((await zhangsan.get(`${base}/export`)).read(MemoryExport).memories).toEqual([]);
  });

  test('an empty memory and an empty correction are refused by their field', async () => {
    expect(await zhangsan.post(base, { content: ' ' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'content' }] },
    });
    const { id } = (await zhangsan.post(base, { content: '属虎' })).read(StoredMemory);
    expect((await zhangsan.patch(`${base}/${id}`, {})).status).toBe(400);
  });
});
