import type { JsonObject } from '@kith/protocol';
import type { CallOutcome, ModelAnswer, ModelCall } from '../port.ts';
import type { Model, Vendor } from '../registry/entities.ts';
import type { Attempt, ChatAnswer, ChatRequest } from '../wire/chat.ts';
import type { ProviderChat } from '../wire/provider-chat.ts';
import { templatedChat } from '../wire/templated.ts';
import type { Transport } from '../wire/transport.ts';
import type { Target } from './target.ts';
import { type AttemptHandle, type CallServices, trackedCall } from './tracked-call.ts';

export interface ChatServices extends CallServices {
  transport: Transport;
  provider: ProviderChat;
}

/** A call as this room makes it: also for reasons that are no agent type. */
export type Chat = Omit<ModelCall, 'agentType'> & { agentType: string };

/** What a structured call adds: how the answer's form is asked for, by the model that is asked. */
export type Shaping = (model: Model) => { messages: ModelCall['messages']; responseFormat?: JsonObject | undefined };

/** A chat call, tracked: streamed where someone listens. */
export async function chatCall(
  services: ChatServices,
  call: Chat,
  shape: Shaping = () => ({ messages: call.messages }),
): Promise<CallOutcome<ModelAnswer>> {
  const streams = call.onText !== undefined || call.onReasoning !== undefined;
  return trackedCall(services, { ...call, operation: 'chat' }, async (target, handle) => {
    const attempt: Attempt = {
      baseUrl: handle.baseUrl,
      secret: handle.secret,
      signal: handle.signal,
      onToken: streams ? tokenListener(call, handle) : undefined,
    };
    const { usage, ...value } = await ask(services, target, requestTo(target, call, shape), attempt);
    return { value, usage };
  });
}

function tokenListener(call: Chat, handle: AttemptHandle): NonNullable<Attempt['onToken']> {
  return (kind, delta) => {
    handle.started();
    if (kind === 'text') call.onText?.(delta);
    else if (kind === 'reasoning') call.onReasoning?.(delta);
  };
}

function ask(services: ChatServices, target: Target, request: ChatRequest, attempt: Attempt): Promise<ChatAnswer> {
  const { parser } = target.model;
  const { adapter } = target.vendor;
  if (parser) return templatedChat(services.transport, parser, request, attempt);
  // A vendor of adapter `http` has a parser for every chat model.
  return services.provider(adapter === 'http' ? 'openai-compatible' : adapter, request, attempt);
}

function requestTo({ model, vendor }: Target, call: Chat, shape: Shaping): ChatRequest {
  const shaped = shape(model);
  return {
    model: model.name,
    ...shaped,
    tools: call.tools,
    temperature: call.temperature,
    maxOutputTokens: call.maxOutputTokens ?? model.maxOutputTokens ?? undefined,
    thinking: model.capabilities.thinking ? thinks(model, vendor, shaped.responseFormat !== undefined) : undefined,
  };
}

/** Reasoning models think. DashScope's do not while they keep to a form: it refuses the two together. */
function thinks(model: Model, vendor: Vendor, hasForm: boolean): boolean {
  return model.category === 'reasoning' && !(hasForm && vendor.adapter === 'alibaba');
}
