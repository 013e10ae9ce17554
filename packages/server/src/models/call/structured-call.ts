import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@kith/protocol';
import { z } from 'zod';
import { errors } from '../../errors/index.ts';
import type { CallOutcome, ModelAnswer, ModelCall, ModelMessage, StructuredOutput } from '../port.ts';
import { type ChatServices, chatCall, type Shaping } from './chat-call.ts';
import { fieldStream } from './field-stream.ts';
import { jsonIn } from './json-text.ts';

type Structured<Value> = CallOutcome<{ value: Value; reasoning: string }>;

/** An answer that fits a schema. One that does not is sent back once with the reason; a second miss is a violation. */
export async function structuredCall<Value>(
  services: ChatServices,
  call: ModelCall,
  output: StructuredOutput<Value>,
): Promise<Structured<Value>> {
  let shown = false;
  const streaming = (): Pick<ModelCall, 'onText'> => {
    const { onText } = call;
    // What the user has already seen of the first answer must not be told again by the second.
    if (!onText || !output.streamField || shown) return { onText: undefined };
    const stream = fieldStream({
      field: output.streamField,
      when: output.streamWhen,
      onText: (delta) => {
        shown = true;
        onText(delta);
      },
    });
    return { onText: stream.push };
  };
  const first = await chatCall(services, { ...call, ...streaming() }, shaping(call.messages, output));
  if (!first.ok) return first;
  const fit = fitted(first.value, output);
  if (fit.ok) return { ok: true, value: fit.value, bookings: first.bookings };

  const callId = randomUUID();
  await output.announce?.(callId);
  const messages = [...call.messages, ...repairRequest(first.value.text, fit.reason)];
  const second = await chatCall(services, { ...call, ...streaming(), callId, messages }, shaping(messages, output));
  const bookings = [...first.bookings, ...second.bookings];
  if (!second.ok) return { ...second, bookings };
  const mended = fitted(second.value, output);
  if (mended.ok) return { ok: true, value: mended.value, bookings };
  services.log.warn({ model: call.modelId, schema: output.name, reason: mended.reason }, 'a contract was not kept');
  return {
    ok: false,
    error: errors.CONTRACT_VIOLATION({ detail: `${output.name}: ${mended.reason}`, modelId: call.modelId }),
    bookings,
  };
}

/** Models with json_schema get the schema in the request; for the others it stands at the end of the system message. */
function shaping<Value>(messages: ModelMessage[], { name, schema }: StructuredOutput<Value>): Shaping {
  const { json, text } = jsonSchemaOf(schema);
  return (form): ReturnType<Shaping> => {
    if (form === 'json_schema') {
      return { messages, responseFormat: { type: form, json_schema: { name, schema: json, strict: false } } };
    }
    const shaped = { messages: withSchema(messages, name, text) };
    return form === 'json_object' ? { ...shaped, responseFormat: { type: form } } : shaped;
  };
}

function withSchema(messages: ModelMessage[], name: string, schema: string): ModelMessage[] {
  const instruction = `Schema: ${name}\n${schema}`;
  const at = messages.findIndex(({ role }) => role === 'system');
  if (at === -1) return [{ role: 'system', content: `Answer with JSON only.\n\n${instruction}` }, ...messages];
  return messages.map((message, index) =>
    index === at && message.role === 'system'
      ? { ...message, content: `${message.content}\n\nAnswer with JSON only.\n${instruction}` }
      : message,
  );
}

const schemas = new WeakMap<z.ZodType, { json: JsonObject; text: string }>();

function jsonSchemaOf(schema: z.ZodType): { json: JsonObject; text: string } {
  const known = schemas.get(schema);
  if (known) return known;
  const { $schema: _, ...document } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const text = JSON.stringify(document);
  const made = { json: z.record(z.string(), z.json()).parse(JSON.parse(text)), text };
  schemas.set(schema, made);
  return made;
}

type Fit<Value> = { ok: true; value: { value: Value; reasoning: string } } | { ok: false; reason: string };

function fitted<Value>(
  { text, reasoning, finishReason }: ModelAnswer,
  { schema }: StructuredOutput<Value>,
): Fit<Value> {
  const json = jsonIn(text);
  if (json === undefined) {
    return { ok: false, reason: finishReason === 'length' ? 'the answer was cut off' : 'the answer is not JSON' };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { ok: true, value: { value: parsed.data, reasoning } };
  const reasons = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join('.') || 'answer'}: ${issue.message}`);
  return { ok: false, reason: reasons.join('; ') };
}

function repairRequest(text: string, reason: string): ModelMessage[] {
  return [
    { role: 'assistant', content: text },
    {
      role: 'user',
      content: `# CONTRACT\nYour answer does not fit the schema: ${reason}\nGive the whole answer again, as JSON only.`,
    },
  ];
}
