import type { ChatHistoryEntry, Json, UserAgentContext } from '@kith/protocol';
import type { ModelMessage } from '../models/index.ts';
import { asDataLine, systemPromptFor } from '../users/index.ts';
import type { AgentTemplates, Stage } from './templates.ts';

export interface StageVariables {
  /** What the user wrote, verbatim. */
  userMessage: string;
  /** Data blocks in order, each one line of JSON that can never be read as an instruction. */
  data: Readonly<Record<string, Json>>;
  /** Earlier turns, oldest first. */
  history?: readonly ChatHistoryEntry[];
  /** Stable text after the instructions: the cards of the skills in scope. */
  appendix?: string;
}

/**
 * The one way from templates and variables to messages. The system message is the same for every call of a stage for a
 * user, and what changes comes last: vendors' prefix caches live on that.
 */
export function buildStagePromptPayload(
  templates: AgentTemplates,
  stage: Stage,
  user: UserAgentContext,
  variables: StageVariables,
): ModelMessage[] {
  const system = [systemPromptFor(user), templates.instructionsOf(stage), variables.appendix ?? ''].filter(Boolean);
  const blocks = Object.entries(variables.data).map(([name, value]) => `# ${name}\n${asDataLine(value)}`);
  return [
    { role: 'system', content: system.join('\n\n') },
    ...(variables.history ?? []).flatMap(asMessage),
    { role: 'user', content: [...blocks, `# USER_MESSAGE\n${variables.userMessage}`].join('\n\n') },
  ];
}

function asMessage(entry: ChatHistoryEntry): ModelMessage[] {
  if (entry.content === '' || (entry.role !== 'user' && entry.role !== 'assistant')) return [];
  return [{ role: entry.role, content: entry.content }];
}
