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

  test('an empty memory and an empty correction are refused by their field', async () => {
    expect(await zhangsan.post(base, { content: ' ' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'content' }] },
    });
    const { id } = (await zhangsan.post(base, { content: '属虎' })).read(StoredMemory);
    expect((await zhangsan.patch(`${base}/${id}`, {})).status).toBe(400);
  });
});
