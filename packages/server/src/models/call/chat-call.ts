import type { JsonObject } from '@kith/protocol';
import type { CallOutcome, ModelAnswer, ModelCall } from '../port.ts';
import type { Model, Vendor } from '../registry/entities.ts';
import { CallFailure } from '../wire/call-failure.ts';
import type { Attempt, ChatAnswer, ChatRequest } from '../wire/chat.ts';
import type { ProviderChat } from '../wire/provider-chat.ts';
import { templatedChat } from '../wire/templated.ts';
import type { Transport } from '../wire/transport.ts';
import type { Target } from './target.ts';
import { type AttemptHandle, type CallServices, trackedCall } from './tracked-call.ts';

export interface ChatServices extends CallServices {
  transport: Transport;
  provider: ProviderChat;
  /** What models turned out to take, where it is less than their row says. */
  formsTaken: Map<string, Form>;
}

/** A call as this room makes it: also for reasons that are no agent type. */
export type Chat = Omit<ModelCall, 'agentType'> & { agentType: string };

/** How the form of an answer can be asked for, from the strictest on. */
const FORMS = ['json_schema', 'json_object', 'text'] as const;
export type Form = (typeof FORMS)[number];

/** What a structured call adds: the request for a form, in the way that the model takes. */
export type Shaping = (form: Form) => { messages: ModelCall['messages']; responseFormat?: JsonObject | undefined };

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
    const { usage, ...value } = await askInForm(services, target, call, shape, attempt, handle);
    return { value, usage };
  });
}

/** Asks for the form that the model is said to take. A server that does not know it says so, and is asked for a looser one. */
async function askInForm(
  services: ChatServices,
  target: Target,
  call: Chat,
  shape: Shaping,
  attempt: Attempt,
  handle: AttemptHandle,
): Promise<ChatAnswer> {
  const { model } = target;
  const form = services.formsTaken.get(model.id) ?? formOf(model);
  try {
    return await ask(services, target, requestTo(target, call, shape(form)), attempt);
  } catch (error) {
    const looser = isAboutForm(error) ? FORMS[FORMS.indexOf(form) + 1] : undefined;
    if (looser === undefined) throw error;
    services.log.warn({ model: model.id, form }, 'the model does not take this form of answers');
    services.formsTaken.set(model.id, looser);
    handle.again();
    return askInForm(services, target, call, shape, attempt, handle);
  }
}

function formOf({ capabilities }: Model): Form {
  if (capabilities.json_schema) return 'json_schema';
  return capabilities.json_object ? 'json_object' : 'text';
}

function isAboutForm(error: unknown): boolean {
  const refused = error instanceof CallFailure && error.kind === 'refused';
  return refused && /response_format|json_schema|json_object/i.test(error.message);
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

function requestTo({ model, vendor }: Target, call: Chat, shaped: ReturnType<Shaping>): ChatRequest {
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
