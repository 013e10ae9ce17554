/** What is compared, and what each must have done for its figures to count. */
export interface SetUp {
  id: string;
  /** Its parts as people call them, each with the package whose version is shown. */
  parts: Readonly<Record<string, string>>;
  /** Exports `open`; seen from this folder. */
  module: string;
  /** What the database is like at first in which it keeps its runs; absent where nothing is kept. */
  keepsIn?: 'empty' | 'kith';
  /** The model asks for its ten tools in so many turns. */
  turns: number;
  modelCalls: number;
}

export const TOOLS = 10;

const peer = (id: string, parts: SetUp['parts'], keepsIn?: SetUp['keepsIn']): SetUp => ({
  id,
  parts,
  module: `../peers/${id}.mjs`,
  ...(keepsIn ? { keepsIn } : {}),
  turns: TOOLS,
  modelCalls: TOOLS + 1,
});

/**
 * Kith asks its model twice more than a bare loop: the router before and the output stage after. With two of its eight
 * turns asking for two tools at once, it makes the same eleven calls; the last line is what a tool a turn costs.
 */
export const KITH: SetUp = {
  id: 'kith',
  parts: { Kith: '' },
  module: './kith.ts',
  keepsIn: 'kith',
  turns: TOOLS - 2,
  modelCalls: TOOLS + 1,
};

export const SET_UPS: readonly SetUp[] = [
  peer('raw-fetch', { 'raw fetch loop': '' }),
  peer('ai-sdk', { 'AI SDK': 'ai' }),
  peer('openai-agents', { 'OpenAI Agents': '@openai/agents' }),
  peer('langgraph', { 'LangGraph.js': '@langchain/langgraph' }),
  peer(
    'langgraph-postgres',
    { 'LangGraph.js': '@langchain/langgraph', PostgresSaver: '@langchain/langgraph-checkpoint-postgres' },
    'empty',
  ),
  peer('mastra', { Mastra: '@mastra/core', 'pg memory': '@mastra/pg' }, 'empty'),
  KITH,
  { ...KITH, id: 'kith-tool-a-turn', parts: { 'Kith, a tool a turn': '' }, turns: TOOLS, modelCalls: TOOLS + 3 },
];

export const promptOf = ({ turns }: Pick<SetUp, 'turns'>): string => `bench: ${TOOLS} tools in ${turns} turns`;

/** Where a set-up finds its database and its model. */
export interface Place {
  databaseUrl: string;
  modelUrl: string;
}

/** What every set-up looks like from outside. */
export interface OpenSetUp {
  /** One run to its end; resolves with the answer. */
  run(threadId: string, prompt: string): Promise<unknown>;
  /** How many tools really ran so far. */
  toolRuns(): number | Promise<number>;
  close(): Promise<void>;
  /** Where it listens, if it does. */
  url?: string;
}
