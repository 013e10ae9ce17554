import { z } from 'zod';
import { Json } from './json.ts';

/**
 * How a tool result may be shown: small, versioned, bound to no renderer. Skills give `ui_hints`;
 * the codec compiles them to `ui_schema` (this) and to A2UI operations.
 */
const Action = z.object({
  label: z.string(),
  /** Sent as the user's next message when pressed. */
  message: z.string().optional(),
  url: z.string().optional(),
});
const Field = z.object({ label: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) });

export const UiBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('fields'), fields: z.array(Field) }),
  z.object({
    type: z.literal('table'),
    columns: z.array(z.object({ key: z.string(), label: z.string() })),
    rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  }),
  z.object({ type: z.literal('image'), url: z.string(), alt: z.string() }),
  z.object({
    type: z.literal('file'),
    file_id: z.string(),
    name: z.string(),
    url: z.string(),
    size: z.int().optional(),
  }),
]);
export type UiBlock = z.infer<typeof UiBlock>;

export const UiSchema = z.object({
  version: z.literal(1),
  /** What the card is about: `calendar.event`, `calendar.list`, `contacts.list`, `memory.update`, … */
  kind: z.string(),
  title: z.string(),
  status: z.enum(['success', 'failure', 'partial']),
  blocks: z.array(UiBlock),
  actions: z.array(Action).default([]),
});
export type UiSchema = z.infer<typeof UiSchema>;

/** The hints a skill gives: the same blocks, with texts in the user's language already chosen. */
export const UiHints = z.object({
  kind: z.string(),
  title: z.string(),
  blocks: z.array(UiBlock).default([]),
  actions: z.array(Action).default([]),
  data: Json.optional(),
});
export type UiHints = z.infer<typeof UiHints>;
