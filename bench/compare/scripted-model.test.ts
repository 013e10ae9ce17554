import { expect, test } from 'vitest';
import { ANSWER, answerTo, type ChatRequest } from './scripted-model.ts';

const tools = (...names: string[]) => names.map((name) => ({ function: { name } }));
const user = (content: string) => ({ role: 'user', content });

/** Plays a loop against the script, and gives the number of tools asked for in each turn. */
function play(prompt: string, offered: string[]): number[] {
  const request: ChatRequest = { messages: [user('an earlier question'), user(prompt)], tools: tools(...offered) };
  const turns: number[] = [];
  for (;;) {
    const answer = answerTo(request);
    if ('text' in answer || answer.calls[0]?.name === 'finish') return turns;
    turns.push(answer.calls.length);
    request.messages.push({ role: 'assistant', content: '', tool_calls: answer.calls });
    for (const _ of answer.calls) request.messages.push({ role: 'tool', content: '{}' });
  }
}

test('a bare loop gets a tool a turn, then its text', () => {
  expect(play('bench: 10 tools in 10 turns', ['lookup'])).toEqual(Array(10).fill(1));
  expect(answerTo({ messages: [user('hello')], tools: tools('lookup') })).toEqual({ text: ANSWER, slowly: false });
});

test('ten tools fit into eight turns', () => {
  expect(play('bench: 10 tools in 8 turns', ['project_cli', 'plan', 'finish'])).toEqual([2, 2, 1, 1, 1, 1, 1, 1]);
});

test('each call reads another day, also within a turn', () => {
  const answer = answerTo({ messages: [user('bench: 2 tools in 1 turns')], tools: tools('lookup') });
  expect(answer).toEqual({
    calls: [
      { name: 'lookup', arguments: { date: '2027-01-01' } },
      { name: 'lookup', arguments: { date: '2027-01-02' } },
    ],
  });
});

test("a stage's contract decides the shape of its answer", () => {
  const ask = (schema: string, prompt: string) =>
    answerTo({ messages: [{ role: 'system', content: `Be kind.\nSchema: ${schema}\n{}` }, user(prompt)] });
  const json = (answer: ReturnType<typeof answerTo>): unknown => ('text' in answer ? JSON.parse(answer.text) : answer);
  expect(json(ask('IntentResult', 'hello'))).toMatchObject({ route: 'DIRECT_EXECUTION', assistant_text: ANSWER });
  expect(json(ask('IntentResult', 'bench: 10 tools in 8 turns'))).toMatchObject({ route: 'NEEDS_EXECUTION' });
  expect(json(ask('OrganizationResult', 'bench: 10 tools in 8 turns'))).toMatchObject({ assistant_text: ANSWER });
});
