import type { Json, JsonObject, KithEvent, UiSchema } from '@kith/protocol';
import fc from 'fast-check';

/** Runs that a graph could produce, for property tests: every kind of event, legally nested, with any content. */

export const run = { threadId: 'thread', runId: 'run' };

// Zod drops the key `__proto__` wherever it finds it, as it should.
const isKept = (value: unknown) => !JSON.stringify(value).includes('__proto__');
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter(isKept);
/** Data that the database can keep: no U+0000 and no half characters. */
const json = fc
  .jsonValue({ maxDepth: 2, stringUnit: 'grapheme' })
  .filter(isKept)
  .map((value): Json => JSON.parse(JSON.stringify(value)));
const facts: fc.Arbitrary<JsonObject> = fc.dictionary(text, json, { maxKeys: 3 });
const count = fc.nat({ max: 10_000 });
const stage = fc.constantFrom('router' as const, 'worker' as const);

const usage = fc.record(
  {
    totalTokens: count,
    cachedPromptTokens: count,
    promptCacheHitTokens: count,
    promptCacheMissTokens: count,
    reasoningTokens: count,
    costSource: fc.constantFrom('provider' as const, 'catalog_fallback' as const, 'unpriced' as const),
    usageComplete: fc.boolean(),
  },
  { requiredKeys: [] },
);

const card: fc.Arbitrary<UiSchema> = fc.record({
  version: fc.constant(1 as const),
  kind: fc.constant('calendar.event'),
  title: text,
  status: fc.constantFrom('success' as const, 'failure' as const),
  blocks: fc.array(
    fc.oneof(
      fc.record({ type: fc.constant('text' as const), text }),
      fc.record({
        type: fc.constant('fields' as const),
        fields: fc.array(fc.record({ label: text, value: text }), { maxLength: 2 }),
      }),
      fc.record({
        type: fc.constant('table' as const),
        columns: fc.array(fc.record({ key: fc.constant('a'), label: text }), { maxLength: 1 }),
        rows: fc.array(fc.record({ a: fc.option(text) }), { maxLength: 2 }),
      }),
    ),
    { maxLength: 3 },
  ),
  actions: fc.array(fc.record({ label: text, message: text }), { maxLength: 1 }),
});

type Part = (id: string) => KithEvent[];

const spoken: fc.Arbitrary<Part> = fc
  .record({
    thoughts: fc.array(text, { maxLength: 2 }),
    deltas: fc.array(text, { minLength: 1, maxLength: 4 }),
    stage,
    status: fc.constantFrom('success' as const, 'partial_success' as const, 'failed' as const),
    suggested_actions: fc.array(fc.record({ title: text, message: text }), { maxLength: 2 }),
    error: fc.option(text, { nil: undefined }),
    usage,
  })
  .map(
    (said): Part =>
      (messageId) => [
        ...reasoning(`${messageId}-reasoning`, said.thoughts),
        { type: 'TEXT_MESSAGE_START', ...run, messageId, role: 'assistant', stage: said.stage },
        ...said.deltas.map((delta): KithEvent => ({ type: 'TEXT_MESSAGE_CONTENT', ...run, messageId, delta })),
        {
          type: 'TEXT_MESSAGE_END',
          ...run,
          messageId,
          role: 'assistant',
          stage: said.stage,
          status: said.status,
          answer: said.deltas.join(''),
          suggested_actions: said.suggested_actions,
          ...(said.error === undefined ? {} : { error: said.error }),
          ...said.usage,
        },
      ],
  );

function reasoning(messageId: string, thoughts: readonly string[]): KithEvent[] {
  if (thoughts.length === 0) return [];
  return [
    { type: 'REASONING_START', ...run, messageId },
    { type: 'REASONING_MESSAGE_START', ...run, messageId, role: 'reasoning' },
    ...thoughts.map((delta): KithEvent => ({ type: 'REASONING_MESSAGE_CONTENT', ...run, messageId, delta })),
    { type: 'REASONING_MESSAGE_END', ...run, messageId },
    { type: 'REASONING_END', ...run, messageId },
  ];
}

const called: fc.Arbitrary<Part> = fc
  .record({
    args: fc.record({ module: fc.constant('calendar'), method: text, input: facts }),
    status: fc.constantFrom('success' as const, 'failure' as const, 'partial' as const),
    result: facts,
    error: fc.option(fc.record({ code: text, message: text }), { nil: undefined }),
    card: fc.option(card, { nil: undefined }),
    answered: fc.boolean(),
  })
  .map(
    ({ args, status, result, error, card: shown, answered }): Part =>
      (id) => {
        const toolCallId = `${id}-call`;
        const toolCallName = `calendar.${args.method}`;
        const call = { ...run, messageId: id, toolCallId, toolCallName, stage: 'worker' as const };
        const opened: KithEvent[] = [
          { type: 'TOOL_CALL_START', ...call },
          { type: 'TOOL_CALL_ARGS', ...call, args, delta: JSON.stringify(args) },
          { type: 'TOOL_CALL_END', ...call },
        ];
        if (!answered) return opened;
        const answer: KithEvent = {
          type: 'TOOL_CALL_RESULT',
          ...run,
          messageId: `${id}-result`,
          toolCallId,
          role: 'tool',
          content: JSON.stringify({ status, result }),
          stage: 'worker',
          tool_name: toolCallName,
          tool_call_id: toolCallId,
          tool_call_args: args,
          status,
          result,
          ...(error ? { error } : {}),
          ...(shown ? { ui_schema: shown } : {}),
        };
        return [...opened, answer];
      },
  );

const ending: fc.Arbitrary<KithEvent> = fc.oneof(
  fc.constant<KithEvent>({ type: 'RUN_FINISHED', ...run, usage: [{ totalTokens: 12, reasoningTokens: 3 }] }),
  fc.constant<KithEvent>({ type: 'RUN_FINISHED', ...run, outcome: { type: 'success', pendingToolCallIds: ['call'] } }),
  fc.constant<KithEvent>({ type: 'RUN_FINISHED', ...run, outcome: { type: 'cancelled' } }),
  facts.map((args): KithEvent => {
    const interrupt = { id: 'call', reason: 'tool_call', toolCallId: 'call', metadata: { tool_call_args: args } };
    return { type: 'RUN_FINISHED', ...run, outcome: { type: 'interrupt', interrupts: [interrupt] } };
  }),
  fc.constant<KithEvent>({
    type: 'RUN_ERROR',
    ...run,
    message: 'run canceled by user',
    code: 'RUN_CANCELED',
    error_id: 'x',
  }),
);

/** A whole run: steps with texts and calls in them, and some kind of end. */
export const arbitraryRun: fc.Arbitrary<KithEvent[]> = fc
  .record({
    router: fc.array(spoken, { maxLength: 1 }),
    worker: fc.array(fc.oneof(spoken, called), { maxLength: 4 }),
    ending,
  })
  .map(({ router, worker, ending: end }) => [
    { type: 'RUN_STARTED', ...run },
    ...inStep('router', router),
    ...inStep('worker', worker),
    end,
  ]);

function inStep(stepName: 'router' | 'worker', parts: readonly Part[]): KithEvent[] {
  return [
    { type: 'STEP_STARTED', ...run, stepName },
    ...parts.flatMap((part, index) => part(`${stepName}-${index}`)),
    { type: 'STEP_FINISHED', ...run, stepName },
  ];
}
