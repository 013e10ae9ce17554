import { HttpAgent } from '@ag-ui/client';
import { EventSchema } from '@ag-ui/core/schemas';
import { type JsonObject, KithEvent } from '@kith/protocol';
import { HttpAgent as HttpAgent0059 } from 'ag-ui-client-0059';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toAgUi } from './ag-ui.ts';
import { arbitraryRun, run } from './arbitrary-runs.ts';
import { toFlat } from './flat.ts';
import { agUiFrame, frameOf } from './frames.ts';
import { joinPrelude } from './join.ts';

const runs = { numRuns: 60 };

beforeEach(() => {
  vi.spyOn(console, 'warn');
  vi.spyOn(console, 'error');
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** What an official client holds in the end, having checked every frame in its own way. */
async function read(Agent: typeof HttpAgent | typeof HttpAgent0059, events: readonly JsonObject[]) {
  const body = events.map((event) => agUiFrame(event)).join('');
  const agent = new Agent({
    url: 'http://kith.test/agui',
    threadId: run.threadId,
    fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
  });
  await agent.runAgent({ runId: run.runId });
  expect(console.warn).not.toHaveBeenCalled();
  expect(console.error).not.toHaveBeenCalled();
  return agent.messages;
}

const readers = [
  { name: '1.0.0', Agent: HttpAgent, protocolVersion: '1.0' },
  { name: '0.0.59', Agent: HttpAgent0059, protocolVersion: undefined },
];

describe('the flat dialect', () => {
  test('is valid AG-UI, and is the event that was logged', () => {
    fc.assert(
      fc.property(arbitraryRun, (events) => {
        for (const event of events) {
          const wire = toFlat(event);
          expect(EventSchema.parse(wire)).toEqual(wire);
          expect(KithEvent.parse(wire)).toEqual(event);
        }
      }),
      runs,
    );
  });

  test('keeps internal figures to itself, and data of tools as it is', () => {
    const internal = { inputTokens: 1, outputTokens: 2, cost: '0.1', latencyMs: 3, model: 'm' };
    const usage = [{ totalTokens: 5, inputTokens: 1, model: 'm' }];
    const finished: KithEvent = { type: 'RUN_FINISHED', ...run, usage };
    expect(toFlat({ ...finished, ...internal })).toEqual({
      type: 'RUN_FINISHED',
      ...run,
      usage: [{ totalTokens: 5 }],
    });
    const call = { ...run, messageId: 'm', toolCallId: 'c', toolCallName: 'mcp.cars', stage: 'worker' } as const;
    const args = { model: 'T3', cost: null };
    const asked: KithEvent = { type: 'TOOL_CALL_ARGS', ...call, args, delta: '{}' };
    expect(toFlat({ ...asked, ...internal })).toEqual(asked);
  });

  test('leaves out what is null', () => {
    const failed = { type: 'RUN_ERROR', ...run, message: 'runtime execution failed' } as const;
    const careless: KithEvent = JSON.parse(JSON.stringify({ ...failed, code: null }));
    expect(toFlat(careless)).toEqual(failed);
  });

  test('makes the same frame of an event, whatever order the database gives its keys', () => {
    fc.assert(
      fc.property(arbitraryRun, (events) => {
        for (const event of events) {
          const [live, stored] = [event, KithEvent.parse(reversed(event))].map((each) =>
            frameOf({ seq: 7, runId: 'run', event: each }),
          );
          expect(stored).toBe(live);
        }
      }),
      runs,
    );
  });

  test('goes out as id, event and data', () => {
    const frame = frameOf({ seq: 12, runId: 'run', event: { type: 'RUN_STARTED', ...run } });
    expect(frame).toBe(
      'id: 12-0\nevent: RUN_STARTED\ndata: {"type":"RUN_STARTED","threadId":"thread","runId":"run"}\n\n',
    );
  });
});

describe.each(readers)('plain AG-UI for client $name', ({ Agent, protocolVersion }) => {
  const encode = (events: readonly KithEvent[]) => events.flatMap((event) => toAgUi(event, { protocolVersion }));

  test('passes through the official client without a warning, and nothing of the flat dialect is lost', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryRun, async (events) => {
        await read(Agent, encode(events));
        for (const event of events) {
          if (event.type === 'RUN_FINISHED') continue;
          const [wire] = encode([event]);
          expect({ ...run, ...wire, ...metadataOf(wire) }).toMatchObject(toFlat(event));
        }
      }),
      runs,
    );
  });

  test('lets a client join at any moment, and end with what one has that was there all the time', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryRun, fc.nat(), async (events, moment) => {
        const cut = 1 + (moment % (events.length - 1));
        const joined = await read(Agent, encode([...joinPrelude(run, [], events.slice(0, cut)), ...events.slice(cut)]));
        expect(joined).toEqual(await read(Agent, encode(events)));
      }),
      runs,
    );
  });
});

describe('outcomes', () => {
  const finished = (outcome: Extract<KithEvent, { type: 'RUN_FINISHED' }>['outcome']): KithEvent => ({
    type: 'RUN_FINISHED',
    ...run,
    outcome,
  });

  test('that only 1.0 knows go to 1.0 only', () => {
    const pending = finished({ type: 'success', pendingToolCallIds: ['call'] });
    expect(toAgUi(pending, { protocolVersion: '1.0' })[0]).toMatchObject({ outcome: { pendingToolCallIds: ['call'] } });
    expect(toAgUi(pending)[0]).toMatchObject({ outcome: { type: 'success' } });
    expect(JSON.stringify(toAgUi(pending))).not.toContain('pendingToolCallIds');
    expect(toAgUi(finished({ type: 'cancelled' }), { protocolVersion: '1.0' })[0]).toMatchObject({
      outcome: { type: 'cancelled' },
    });
    expect(toAgUi(finished({ type: 'cancelled' }))[0]).toMatchObject({ type: 'RUN_ERROR', code: 'RUN_CANCELED' });
  });
});

const metadataOf = (wire: JsonObject | undefined) => (typeof wire?.metadata === 'object' ? wire.metadata : {});

/** The same value with every object's keys the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}
