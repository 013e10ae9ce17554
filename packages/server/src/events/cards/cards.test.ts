import type { UiHints } from '@kith/protocol';
import { UiSchema } from '@kith/protocol';
import { expect, test } from 'vitest';
import { toA2ui } from './a2ui.ts';
import { compileUiSchema } from './ui-schema.ts';

const hints: UiHints = {
  kind: 'calendar.list',
  title: '11月16日',
  blocks: [
    { type: 'text', text: 'Two events' },
    { type: 'fields', fields: [{ label: 'Where', value: 'Room 5' }] },
    {
      type: 'table',
      columns: [
        { key: 'when', label: '时间' },
        { key: 'title', label: '标题' },
      ],
      rows: [
        { when: '15:00', title: '周会' },
        { when: '16:00', title: null },
      ],
    },
    { type: 'image', url: 'https://example.com/map.png', alt: 'A map' },
    { type: 'file', file_id: 'f1', name: 'report.xlsx', url: '/api/v1/files/f1/content' },
  ],
  actions: [{ label: 'Accept', message: 'Accept the invitation' }],
};

test('hints become a versioned card that says how the tool ended; a tool without hints has none', () => {
  const card = compileUiSchema({ status: 'partial', ui_hints: hints });
  expect(UiSchema.parse(card)).toEqual({ version: 1, status: 'partial', ...hints });
  expect(compileUiSchema({ status: 'success' })).toBeUndefined();
});

test('links lead to the web or to this server, nowhere else', () => {
  const image = (url: string) => ({ type: 'image' as const, url, alt: '' });
  const urls = [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//evil.example',
    'x',
    '/files/1',
    'https://a.example/',
  ];
  const card = compileUiSchema({
    status: 'success',
    ui_hints: { ...hints, blocks: urls.map(image), actions: urls.map((url) => ({ label: 'x', url })) },
  });
  expect(card?.blocks).toEqual([image('/files/1'), image('https://a.example/')]);
  expect(card?.actions.map(({ url }) => url)).toEqual(['/files/1', 'https://a.example/']);
});

test('a card stays a glance: rows and blocks are bounded', () => {
  const rows = Array.from({ length: 500 }, () => ({ a: 1 }));
  const table = { type: 'table' as const, columns: [{ key: 'a', label: 'A' }], rows };
  const card = compileUiSchema({
    status: 'success',
    ui_hints: { ...hints, blocks: Array.from({ length: 80 }, () => table) },
  });
  expect(card?.blocks).toHaveLength(50);
  expect(card?.blocks[0]).toMatchObject({ rows: { length: 100 } });
});

test('as A2UI it is a tree of the components that every renderer draws, rooted and complete', () => {
  const card = compileUiSchema({ status: 'success', ui_hints: hints });
  const operations = card ? toA2ui(card, 'call-1') : [];
  expect(operations[0]).toEqual({
    version: 'v0.9',
    createSurface: { surfaceId: 'call-1', catalogId: expect.stringContaining('catalog.json') },
  });
  const update = operations[1];
  const components = update && 'updateComponents' in update ? update.updateComponents.components : [];
  const byId = new Map(components.map((component) => [component.id, component]));
  expect(byId.size).toBe(components.length);
  const reached = new Set<string>();
  const walk = (id: string) => {
    const component = byId.get(id);
    if (!component || reached.has(id)) throw new Error(`${id} is missing, or twice in the tree`);
    reached.add(id);
    if ('children' in component) component.children.forEach(walk);
  };
  walk('root');
  expect(reached.size).toBe(components.length);
  expect(new Set(components.map(({ component }) => component))).toEqual(
    new Set(['Column', 'Row', 'Text', 'Image', 'Divider']),
  );
  const texts = components.flatMap((component) => (component.component === 'Text' ? [component.text] : []));
  expect(texts).toEqual([
    '11月16日',
    'Two events',
    'Where',
    'Room 5',
    '时间',
    '15:00',
    '16:00',
    '标题',
    '周会',
    '–',
    'report.xlsx: /api/v1/files/f1/content',
    'Accept: Accept the invitation',
  ]);
});
