import type { Json, SuggestedAction } from '@kith/protocol';
import { z } from 'zod';

const words = z.string().trim().min(1);
const named = z.object({
  title: words.optional(),
  label: words.optional(),
  message: words.optional(),
  prompt: words.optional(),
});
const MOST = 3;

/** Next steps as models write them: a sentence, or a title and a message under one name or another. What is neither is left out. */
export function suggestedActionsOf(offered: Json | undefined): SuggestedAction[] {
  if (!Array.isArray(offered)) return [];
  return offered.flatMap((step) => suggestedActionOf(step) ?? []).slice(0, MOST);
}

function suggestedActionOf(step: Json): SuggestedAction | undefined {
  const { data: sentence } = words.safeParse(step);
  if (sentence !== undefined) return { title: sentence, message: sentence };
  const { data } = named.safeParse(step);
  const title = data?.title ?? data?.label ?? data?.message ?? data?.prompt;
  return title === undefined ? undefined : { title, message: data?.message ?? data?.prompt ?? title };
}
