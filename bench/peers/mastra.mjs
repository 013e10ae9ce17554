import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';
import { PostgresStore } from '@mastra/pg';
import { z } from 'zod';
import { DESCRIPTION, INSTRUCTIONS, lookup, NAME, toolRuns } from './lookup.mjs';

/** Message history in PostgreSQL; no recall by meaning, no working memory, no titles: nothing that asks a model more. */
export async function open({ databaseUrl, modelUrl }) {
  const storage = new PostgresStore({ id: 'bench', connectionString: databaseUrl });
  const provider = createOpenAICompatible({ name: 'mock', baseURL: modelUrl, apiKey: 'sk-bench' });
  const agent = new Agent({
    id: 'assistant',
    name: 'assistant',
    instructions: INSTRUCTIONS,
    model: provider('mock'),
    tools: {
      [NAME]: createTool({
        id: NAME,
        description: DESCRIPTION,
        inputSchema: z.object({ date: z.string() }),
        execute: lookup,
      }),
    },
    memory: new Memory({ storage, options: { lastMessages: 20, semanticRecall: false, generateTitle: false } }),
  });
  const mastra = new Mastra({ agents: { assistant: agent }, storage, logger: false });
  await storage.init();
  return {
    async run(threadId, prompt) {
      const memory = { thread: threadId, resource: `user-of-${threadId}` };
      const { text } = await mastra.getAgent('assistant').generate(prompt, { memory, maxSteps: 50 });
      return text;
    },
    toolRuns,
    close: () => storage.close(),
  };
}
