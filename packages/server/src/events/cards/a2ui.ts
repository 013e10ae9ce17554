import type { UiBlock, UiSchema } from '@kith/protocol';

/**
 * A card as A2UI v0.9 operations. Only what every renderer draws: Column, Row, Text, Image and Divider, with their children
 * named one by one.
 */
export type A2uiComponent = { id: string } & (
  | { component: 'Column' | 'Row'; children: string[]; justify?: 'spaceBetween' }
  | { component: 'Text'; text: string; variant?: 'h3' | 'h5' | 'caption' | 'body' }
  | { component: 'Image'; url: string; description: string }
  | { component: 'Divider' }
);
export type A2uiOperation =
  | { version: 'v0.9'; createSurface: { surfaceId: string; catalogId: string } }
  | { version: 'v0.9'; updateComponents: { surfaceId: string; components: A2uiComponent[] } };

const BASIC_CATALOG = 'https://a2ui.org/specification/v0_9/basic_catalog.json';

/** `surfaceId` names the card on the page (the tool call's id); renderers differ in what they call the catalogue. */
export function toA2ui(schema: UiSchema, surfaceId: string, catalogId = BASIC_CATALOG): A2uiOperation[] {
  const tree = grow();
  const title = tree.text(schema.title, 'h3');
  const blocks = schema.blocks.flatMap((block) => tree.block(block));
  // Buttons are not drawn everywhere: what can be said next is shown as words.
  const actions = schema.actions.map(({ label, message, url }) =>
    tree.text(`${label}: ${message ?? url ?? ''}`, 'caption'),
  );
  tree.add({ id: 'root', component: 'Column', children: [title, ...blocks, ...actions] });
  return [
    { version: 'v0.9', createSurface: { surfaceId, catalogId } },
    { version: 'v0.9', updateComponents: { surfaceId, components: tree.components } },
  ];
}

type Table = Extract<UiBlock, { type: 'table' }>;

/** Components under ids of their own. */
function grow() {
  const components: A2uiComponent[] = [];
  const add = (component: A2uiComponent): string => {
    components.push(component);
    return component.id;
  };
  const id = () => `c${components.length + 1}`;
  const text = (content: string, variant: 'h3' | 'h5' | 'caption' | 'body'): string =>
    add({ id: id(), component: 'Text', text: content, variant });
  const row = (children: string[]): string => add({ id: id(), component: 'Row', children, justify: 'spaceBetween' });
  /** Cells stand under each other by being in one column, as long as each of them takes a line. */
  const tableColumn = ({ key, label }: Table['columns'][number], rows: Table['rows']): string => {
    const head = [text(label, 'h5'), add({ id: id(), component: 'Divider' })];
    const cells = rows.map((row) => text(String(row[key] ?? '') || '–', 'body'));
    return add({ id: id(), component: 'Column', children: [...head, ...cells] });
  };
  const block = (shown: UiBlock): string[] => {
    switch (shown.type) {
      case 'text':
        return [text(shown.text, 'body')];
      case 'fields':
        return shown.fields.map(({ label, value }) => row([text(label, 'caption'), text(String(value), 'body')]));
      case 'table':
        return [row(shown.columns.map((column) => tableColumn(column, shown.rows)))];
      case 'image':
        return [add({ id: id(), component: 'Image', url: shown.url, description: shown.alt })];
      case 'file':
        return [text(`${shown.name}: ${shown.url}`, 'body')];
    }
  };
  return { components, add, text, block };
}
