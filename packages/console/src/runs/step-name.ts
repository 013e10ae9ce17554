import { displayToolName } from '@kith/protocol';
import { LOCALES, useLanguage, useWords } from '../language/index.ts';
import type { Step } from './steps.ts';
import { runWords } from './words.ts';

/** What a step is called: a tool by its own name, a call by its agent. */
export function useStepName(): (step: Pick<Step, 'node' | 'toolCall' | 'modelCalls'>) => string {
  const words = useWords(runWords);
  const locale = LOCALES[useLanguage()];
  return ({ node, toolCall, modelCalls }) => {
    if (toolCall && node !== 'approval') return displayToolName(toolCall.tool_name, locale);
    const agent = modelCalls[0]?.agent_type;
    if (node === 'call' && agent) return words.agents[agent] ?? agent;
    return words.nodes[node] ?? node;
  };
}
