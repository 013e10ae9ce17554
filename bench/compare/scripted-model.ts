import { z } from 'zod';

/**
 * What the model of the bench says: a tool call until as many results as asked for are there, then a text. Asked to
 * speak slowly, it pauses between the words of a stream.
 */

export const ChatRequest = z.object({
  stream: z.boolean().optional(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown(), tool_calls: z.array(z.unknown()).nullish() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

export type ScriptedAnswer = { text: string; slowly?: boolean } | { calls: { name: string; arguments: object }[] };

export const ANSWER = 'Nothing is planned on any of these days, so you are free to choose whichever suits you best.';

export function answerTo({ messages, tools = [] }: ChatRequest): ScriptedAnswer {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const prompt = textOf(messages[last]?.content);
  const asked = /(\d+) tools in (\d+) turns/.exec(prompt);
  const slowly = /\bslowly\b/.test(prompt);
  const stage = stageOf(messages);
  if (stage === 'IntentResult') return { text: JSON.stringify(intent(asked?.[0])), slowly };
  if (stage === 'OrganizationResult')
    return { text: JSON.stringify({ assistant_text: ANSWER, response_metadata: {} }) };
  const since = messages.slice(last + 1);
  const done = since.filter(({ role }) => role === 'tool').length;
  const turns = since.filter(({ role }) => role === 'assistant').length;
  const wanted = Number(asked?.[1] ?? 0);
  const names = new Set(tools.map((tool) => tool.function.name));
  if (done < wanted) return { calls: nextCalls(names, done, (wanted - done) / (Number(asked?.[2]) - turns)) };
  return names.has('finish') ? { calls: [{ name: 'finish', arguments: finished }] } : { text: ANSWER, slowly };
}

/** Kith's stages with a contract name it; the planner and the peers bring functions instead. */
function stageOf(messages: ChatRequest['messages']): string | undefined {
  const system = messages.find(({ role }) => role === 'system');
  return /^Schema: (\w+)$/m.exec(textOf(system?.content))?.[1];
}

const intent = (work: string | undefined) => ({
  ...(work ? { route: 'NEEDS_EXECUTION' } : { route: 'DIRECT_EXECUTION', assistant_text: ANSWER }),
  intent_summary: work ? 'look days up' : 'a question',
  ...(work ? { execution_brief: 'Look the days up one by one.' } : {}),
  scenario: 'calendar',
  safety_flags: [],
});

const finished = {
  status: 'SUCCESS',
  execution_summary: 'the days were looked up',
  execution_data: {},
  report_brief: 'nothing is planned',
  output: 'output.reply',
};

/** Another day each time: no guard may take it for a repetition. */
function nextCalls(names: ReadonlySet<string>, done: number, size: number) {
  return Array.from({ length: Math.ceil(size) }, (_, at) => {
    const date = new Date(Date.UTC(2027, 0, 1 + done + at)).toISOString().slice(0, 10);
    const project = { module: 'calendar', method: 'read', input: { mode: 'day', date } };
    return names.has('project_cli')
      ? { name: 'project_cli', arguments: project }
      : { name: 'lookup', arguments: { date } };
  });
}

/** Content is a text, or parts of one. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) =>
      typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : '',
    )
    .join('\n');
}
