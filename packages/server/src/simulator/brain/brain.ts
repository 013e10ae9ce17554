import type { Listener } from '../intents/intent.ts';
import { readingOf } from '../language/reading.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { instanceOf } from '../prompt/schema-instance.ts';
import { type Answer, jsonAnswer, textAnswer } from './answer.ts';
import { interpret } from './interpret.ts';
import { judge, learn } from './learning.ts';
import { organize } from './output.ts';
import { executionResult, planTurn } from './planner.ts';
import { directAnswer, route } from './router.ts';

/** Kith's own tools; whatever else a request offers belongs to its client. */
const OWN_TOOLS = new Set(['project_cli', 'plan', 'finish']);

/** Answers a prompt as the stage that it belongs to. The same prompt always gets the same answer. */
export function think(prompt: Prompt, clock: () => number): Answer {
  const reading = readingOf(prompt, clock);
  const announced = prompt.context.client_tools.map((tool) => ({ ...tool, parameters: {} }));
  const clientTools = [...prompt.tools, ...announced].filter(({ name }) => !OWN_TOOLS.has(name));
  const listener: Listener = { reading, clientTools };
  const meaning = interpret(prompt.message, listener);
  switch (prompt.schema?.name) {
    case 'IntentResult':
      return jsonAnswer(route(meaning, reading));
    case 'OrganizationResult':
      return jsonAnswer(organize(prompt, meaning, reading));
    case 'MemoryUpdate':
      return jsonAnswer(learn(prompt, meaning, reading));
    case 'TodoVerdict':
      return jsonAnswer(judge(prompt, reading));
    case 'ExecutionResult':
      return jsonAnswer(executionResult(prompt, meaning, reading));
  }
  if (prompt.tools.length > 0) return planTurn(prompt, meaning, reading);
  if (prompt.schema?.definition) return jsonAnswer(instanceOf(prompt.schema.definition));
  const text = directAnswer(meaning.goals, reading);
  return prompt.schema ? jsonAnswer({ answer: text }) : textAnswer(text);
}

/** For thinking models: a line of honest reasoning. */
export function reasoningOf(prompt: Prompt, clock: () => number, answer: Answer): string {
  const { say } = readingOf(prompt, clock);
  const tools = answer.toolCalls.map((call) => call.name).join(say('、', ', '));
  const next = tools
    ? say(`接下来调用 ${tools}。`, `Next I call ${tools}.`)
    : say('可以直接回答。', 'I can answer at once.');
  return say(
    `（模拟推理）用户说：${prompt.message.slice(0, 80)}。${next}`,
    `(simulated reasoning) The user says: ${prompt.message.slice(0, 80)}. ${next}`,
  );
}
