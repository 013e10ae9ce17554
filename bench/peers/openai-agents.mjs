import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { DESCRIPTION, INSTRUCTIONS, lookup, NAME, toolRuns } from './lookup.mjs';

export async function open({ modelUrl }) {
  setTracingDisabled(true);
  const client = new OpenAI({ baseURL: modelUrl, apiKey: 'sk-bench' });
  const agent = new Agent({
    name: 'assistant',
    instructions: INSTRUCTIONS,
    model: new OpenAIChatCompletionsModel(client, 'mock'),
    tools: [
      tool({ name: NAME, description: DESCRIPTION, parameters: z.object({ date: z.string() }), execute: lookup }),
    ],
  });
  return {
    run: async (_threadId, prompt) => (await run(agent, prompt, { maxTurns: 50 })).finalOutput,
    toolRuns,
    close: async () => {},
  };
}
