import { type ChatRequest, textOf, type WireMessage } from '../wire/chat-request.ts';
import { parseJson } from './json.ts';
import { type PastCall, Profile, type Prompt, StageContext, ToolReply } from './prompt.ts';
import { readSchema } from './read-schema.ts';

const USER_MESSAGE = '# USER_MESSAGE';
/** What a stage's message begins with; whatever else a user message begins with is said in addition. */
const STAGE_MESSAGE = /^# (?:CONTEXT|KNOWN_MEMORY|ANSWER|TODO|RESULT|INTENT|EXECUTION|USER_MESSAGE)\b/;
const SECTION = /^# ([A-Z_]+)(?: \(.*\))?$/;

export function readPrompt(request: ChatRequest): Prompt {
  const system = request.messages.filter(isSystem).map(textOf).join('\n\n');
  const talk = request.messages.filter((message) => !isSystem(message));
  const at = stageMessageAt(talk);
  const stage = readStageMessage(at < 0 ? '' : textOf(talk[at] ?? { role: 'user' }));
  return {
    schema: readSchema(request, system, Object.keys(stage.sections)),
    tools: (request.tools ?? []).map(({ function: offered }) => ({
      name: offered.name,
      description: offered.description ?? '',
      parameters: offered.parameters ?? {},
    })),
    profile: readProfile(system),
    context: StageContext.catch(StageContext.parse({})).parse(stage.sections.CONTEXT ?? {}),
    sections: stage.sections,
    message: stage.message,
    history: talk.slice(0, Math.max(at, 0)).flatMap(spokenTurn),
    rounds: readRounds(talk.slice(at + 1)),
  };
}

const isSystem = (message: WireMessage) => message.role === 'system' || message.role === 'developer';

/**
 * The message that the stage is about. A contract that was missed is sent back with a further
 * user message: then the stage's own message is the one before it that has the sections.
 */
function stageMessageAt(talk: readonly WireMessage[]): number {
  const marked = talk.findLastIndex((message) => message.role === 'user' && STAGE_MESSAGE.test(textOf(message)));
  return marked >= 0 ? marked : talk.findLastIndex((message) => message.role === 'user');
}

function readStageMessage(text: string): { sections: Record<string, unknown>; message: string } {
  if (!STAGE_MESSAGE.test(text)) return { sections: {}, message: text.trim() };
  const sections: Record<string, unknown> = {};
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    // Whatever follows is the user's own text, headings included.
    if (line === USER_MESSAGE)
      return {
        sections,
        message: lines
          .slice(at + 1)
          .join('\n')
          .trim(),
      };
    const name = SECTION.exec(line)?.[1];
    if (name) sections[name] = parseJson(lines[at + 1] ?? '');
  }
  return { sections, message: '' };
}

function readProfile(system: string): Profile {
  const lines = system.split('\n');
  const heading = lines.findIndex((line) => line.startsWith('# USER_PROFILE (JSON)'));
  const json = heading < 0 ? undefined : lines.slice(heading + 1).find((line) => line.startsWith('{'));
  const anonymous: Profile = { is_anonymous: true };
  return Profile.catch(anonymous).parse(json === undefined ? anonymous : parseJson(json));
}

function spokenTurn(message: WireMessage): { role: 'user' | 'assistant'; text: string }[] {
  const text = textOf(message).trim();
  if (text === '' || (message.role !== 'user' && message.role !== 'assistant')) return [];
  return [{ role: message.role, text }];
}

function readRounds(turn: readonly WireMessage[]): PastCall[][] {
  const replies = new Map(
    turn.filter(({ role }) => role === 'tool').map((message) => [message.tool_call_id, toolReply(textOf(message))]),
  );
  return turn
    .filter((message) => message.role === 'assistant' && message.tool_calls?.length)
    .map((message) =>
      (message.tool_calls ?? []).map((call) => ({
        name: call.function.name,
        arguments: call.function.arguments,
        reply: replies.get(call.id),
      })),
    );
}

/** A tool of the client's answers with whatever it likes: that is a success with a text. */
function toolReply(text: string): ToolReply {
  const reply = ToolReply.safeParse(parseJson(text));
  return reply.success ? reply.data : { status: 'success', result: parseJson(text) };
}
