import type { JsonObject } from '@kith/protocol';
import type { CallOutcome } from '../port.ts';
import { CallFailure } from '../wire/call-failure.ts';
import type { Attempt } from '../wire/chat.ts';
import { exchangeJson } from '../wire/templated.ts';
import type { Chat, ChatServices } from './chat-call.ts';
import type { Target } from './target.ts';
import { trackedCall } from './tracked-call.ts';

const DEFAULT_BATCH = 64;

/** Vectors for the texts, in their order. Several requests where the model takes only so many texts at once; one booking. */
export async function embedCall(
  services: ChatServices,
  call: Omit<Chat, 'messages' | 'tools'>,
  texts: readonly string[],
): Promise<CallOutcome<number[][]>> {
  if (texts.length === 0) return { ok: true, value: [], bookings: [] };
  return trackedCall(services, { ...call, operation: 'embeddings' }, async (target, handle) => {
    const batch = target.model.capabilities.batch ?? DEFAULT_BATCH;
    const vectors: number[][] = [];
    const usages: (JsonObject | null)[] = [];
    for (let from = 0; from < texts.length; from += batch) {
      const answer = await embedBatch(services, target, texts.slice(from, from + batch), handle);
      vectors.push(...answer.vectors);
      usages.push(answer.usage);
    }
    return { value: vectors, usage: sumUsages(usages) };
  });
}

async function embedBatch({ transport }: ChatServices, { model }: Target, texts: readonly string[], attempt: Attempt) {
  const { parser } = model;
  if (!parser || model.category !== 'embedding') throw new CallFailure('refused', `${model.id} makes no embeddings`);
  const request = { model: model.name, input: texts, dimensions: model.capabilities.dimensions ?? null };
  const answer = parser.vectors(await exchangeJson(transport, parser.request, request, attempt));
  if (answer.vectors.length !== texts.length) {
    throw new CallFailure('unreadable', `${texts.length} texts made ${answer.vectors.length} vectors`);
  }
  return answer;
}

/** Embeddings have one price per token, so that the figures of several requests add up. Unknown in one is unknown in all. */
function sumUsages(usages: readonly (JsonObject | null)[]): JsonObject | null {
  const [first] = usages;
  if (usages.length === 1) return first ?? null;
  if (!first || usages.some((usage) => usage === null)) return null;
  const names = Object.keys(first).filter((name) => usages.every((usage) => typeof usage?.[name] === 'number'));
  const sum = (name: string) => usages.reduce((total, usage) => total + Number(usage?.[name]), 0);
  return { ...Object.fromEntries(names.map((name) => [name, sum(name)])), requests: usages.length };
}
