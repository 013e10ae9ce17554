import type { NodeTable } from '../services.ts';
import { filesNode, memoryNode, userContextNode } from './background.ts';
import { endNode } from './end.ts';
import { learnNode } from './learn.ts';
import { outputNode } from './output.ts';
import { pauseNode } from './pause.ts';
import { plannerNode } from './planner.ts';
import { reflectionNode } from './reflection.ts';
import { routerNode } from './router.ts';
import { toolNode } from './tool.ts';

/** The graph's nodes, by the names that `next` uses. */
export const nodes: NodeTable = {
  user_context: userContextNode,
  files: filesNode,
  memory: memoryNode,
  router: routerNode,
  planner: plannerNode,
  tool: toolNode,
  reflection: reflectionNode,
  pause: pauseNode,
  output: outputNode,
  learn: learnNode,
  end: endNode,
};
