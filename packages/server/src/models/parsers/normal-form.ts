import { JsonObject } from '@kith/protocol';
import { z } from 'zod';

/** The normal forms: what every answer becomes, whatever its vendor wrote. Null counts as absent. */

const Text = z
  .string()
  .nullish()
  .transform((text) => text ?? '');
const Usage = JsonObject.nullish().transform((usage) => (usage && hasFigures(usage) ? usage : null));
const Arguments = z.union([z.string(), JsonObject]).nullish();

const ToolCall = z.object({
  id: z.union([z.string(), z.number()]).nullish(),
  name: z.string().min(1),
  arguments: Arguments,
});

export const TextForm = z.object({
  text: Text,
  reasoning: Text,
  tool_calls: z
    .array(ToolCall)
    .nullish()
    .transform((calls) =>
      (calls ?? []).map((call, index) => ({
        id: String(call.id ?? `call_${index}`),
        name: call.name,
        arguments: argumentText(call.arguments) || '{}',
      })),
    ),
  finish_reason: Text,
  usage: Usage,
});
export type TextForm = z.infer<typeof TextForm>;

/** A piece of a streamed answer: tool calls may come in parts. */
export const PieceForm = z.object({
  text: Text,
  reasoning: Text,
  tool_calls: z
    .array(
      z.object({
        index: z.number().nullish(),
        id: z.union([z.string(), z.number()]).nullish(),
        name: z.string().nullish(),
        arguments: Arguments,
      }),
    )
    .nullish()
    .transform((calls) => calls ?? []),
  finish_reason: Text,
  usage: Usage,
});
export type PieceForm = z.infer<typeof PieceForm>;

export const VectorForm = z.object({ vectors: z.array(z.array(z.number()).min(1)).min(1), usage: Usage });
export type VectorForm = z.infer<typeof VectorForm>;

const Url = z.string().min(1);
export const ImageForm = z.object({
  images: z
    .array(z.object({ url: Url.nullish(), base64: z.string().min(1).nullish() }))
    .transform((images) =>
      images
        .filter(({ url, base64 }) => url || base64)
        .map(({ url, base64 }) => ({
          ...(url ? { url } : {}),
          ...(base64 ? { base64 } : {}),
        })),
    )
    .refine((images) => images.length > 0, 'no image'),
  usage: Usage,
});
export type ImageForm = z.infer<typeof ImageForm>;

export const VideoForm = z.object({ videos: z.array(z.object({ url: Url })).min(1), usage: Usage });
export type VideoForm = z.infer<typeof VideoForm>;

export const TaskForm = z.object({ id: z.string().min(1).max(200), state: z.string().min(1) });
export type TaskForm = z.infer<typeof TaskForm>;

/** Most vendors write arguments as JSON text, some as an object. */
export function argumentText(value: z.infer<typeof Arguments>): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** An object of nulls is what an expression makes of a usage that is not there. */
function hasFigures(usage: JsonObject): boolean {
  return Object.values(usage).some((value) => value !== null);
}
