import { SystemMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import { DESCRIPTION, INSTRUCTIONS, lookup, NAME, toolRuns } from './lookup.mjs';

/** The usual graph of two nodes, with whatever saver it is given. */
export function openGraph({ modelUrl }, checkpointer) {
  const tools = [
    tool(async (input) => JSON.stringify(await lookup(input)), {
      name: NAME,
      description: DESCRIPTION,
      schema: z.object({ date: z.string() }),
    }),
  ];
  const model = new ChatOpenAI({
    model: 'mock',
    apiKey: 'sk-bench',
    configuration: { baseURL: modelUrl },
    useResponsesApi: false,
  }).bindTools(tools);
  const system = new SystemMessage(INSTRUCTIONS);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', async ({ messages }) => ({ messages: [await model.invoke([system, ...messages])] }))
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', toolsCondition, ['tools', END])
    .addEdge('tools', 'agent')
    .compile({ checkpointer });
  return {
    async run(threadId, prompt) {
      const config = { configurable: { thread_id: threadId }, recursionLimit: 200 };
      const { messages } = await graph.invoke({ messages: [{ role: 'user', content: prompt }] }, config);
      return messages.at(-1).content;
    },
    toolRuns,
    close: async () => {},
  };
}

export const open = async (place) => openGraph(place);
