import { randomUUID } from 'node:crypto';
import { type Attributes, type Span, type SpanOptions, SpanStatusCode, trace } from '@opentelemetry/api';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { testModels } from '../../test/models.ts';
import { createMetrics } from '../observability/index.ts';

interface Seen {
  name: string;
  attributes: Attributes;
  status: SpanStatusCode | undefined;
  ended: boolean;
}

/** Keeps what an exporter would be given. */
const spans: Seen[] = [];
function startSpan(name: string, options: SpanOptions = {}): Span {
  const seen: Seen = { name, attributes: { ...options.attributes }, status: undefined, ended: false };
  spans.push(seen);
  const span: Span = {
    spanContext: () => ({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 }),
    setAttribute: (key, value) => {
      seen.attributes[key] = value;
      return span;
    },
    setAttributes: (more) => {
      Object.assign(seen.attributes, more);
      return span;
    },
    setStatus: ({ code }) => {
      seen.status = code;
      return span;
    },
    addEvent: () => span,
    addLink: () => span,
    addLinks: () => span,
    updateName: () => span,
    end: () => {
      seen.ended = true;
    },
    isRecording: () => true,
    recordException: () => {},
  };
  return span;
}
trace.setGlobalTracerProvider({
  getTracer: () => ({
    startSpan,
    startActiveSpan: () => {
      throw new Error('not used');
    },
  }),
});
afterAll(() => trace.disable());

const metrics = createMetrics();
const { models, simulator } = await testModels(await testDatabase(), { metrics, config: { retries: 0 } });
const modelId = 'simulator/deepseek-flash-like';
const call = () => ({
  callId: randomUUID(),
  agentType: 'TASK_EXECUTION' as const,
  modelId,
  messages: [{ role: 'user' as const, content: 'a private question' }],
});

test('a call is one span by the GenAI conventions, without what was said', async () => {
  const outcome = await models.generate(call());
  expect(spans).toEqual([
    {
      name: `chat ${modelId}`,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': modelId,
        'gen_ai.agent.name': 'TASK_EXECUTION',
        'gen_ai.provider.name': 'simulator',
        'gen_ai.response.model': 'deepseek-flash-like',
        'gen_ai.usage.input_tokens': outcome.bookings[0]?.input_tokens,
        'gen_ai.usage.output_tokens': outcome.bookings[0]?.output_tokens,
        'kith.attempts': 1,
      },
      status: undefined,
      ended: true,
    },
  ]);
  expect(JSON.stringify(spans)).not.toContain('private');
});

test('a failed call ends its span with the kind of failure', async () => {
  spans.length = 0;
  simulator.control.next({ status: 500 });
  await models.generate(call());
  expect(spans).toMatchObject([
    { status: SpanStatusCode.ERROR, ended: true, attributes: { 'error.type': 'unavailable', 'kith.attempts': 1 } },
  ]);
});

test('calls and tokens are counted', async () => {
  const text = await metrics.registry.metrics();
  expect(text).toContain(
    `kith_model_call_seconds_count{agent_type="TASK_EXECUTION",model="${modelId}",status="succeeded"} 1`,
  );
  expect(text).toContain(
    `kith_model_call_seconds_count{agent_type="TASK_EXECUTION",model="${modelId}",status="failed"} 1`,
  );
  expect(text).toMatch(new RegExp(`kith_model_tokens_total\\{model="${modelId}",direction="output"\\} [1-9]`));
});
