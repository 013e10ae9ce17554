import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, tool } from 'ai';
import { z } from 'zod';
import { DESCRIPTION, INSTRUCTIONS, lookup, NAME, toolRuns } from './lookup.mjs';

export async function open({ modelUrl }) {
  const provider = createOpenAICompatible({ name: 'mock', baseURL: modelUrl, apiKey: 'sk-bench' });
  const tools = {
    [NAME]: tool({ description: DESCRIPTION, inputSchema: z.object({ date: z.string() }), execute: lookup }),
  };
  return {
    async run(_threadId, prompt) {
      const stopWhen = isStepCount(50);
      const { text } = await generateText({ model: provider('mock'), system: INSTRUCTIONS, prompt, tools, stopWhen });
      return text;
    },
    toolRuns,
    close: async () => {},
  };
}
