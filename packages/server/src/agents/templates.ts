import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentType, REQUIRED_AGENT_TYPES } from '@kith/protocol';
import { parse } from 'yaml';
import { z } from 'zod';
import { errors } from '../errors/index.ts';

export const Stage = z.enum(['router', 'planner', 'output', 'memory', 'judge']);
export type Stage = z.infer<typeof Stage>;

const AgentTemplate = z.strictObject({ role: z.string(), goal: z.string(), backstory: z.string() });
const TaskTemplate = z.strictObject({
  agent: z.string(),
  output: z.string().optional(),
  description: z.string(),
  expected_output: z.string(),
});
const SystemAgent = z.strictObject({
  stage: Stage,
  model: z.string().optional(),
  enabled_skills: z.array(z.string()).optional(),
  context_messages: z.int().min(0).max(500).optional(),
});

export interface AgentTemplates {
  /** The stage's own instructions: role, goal, task and expected output as one text. */
  instructionsOf(stage: Stage): string;
  /** Agent type → model id, where system_agents.yaml names one. */
  models: Partial<Record<AgentType, string>>;
  enabledSkills: readonly string[] | undefined;
  contextMessages: number;
}

const shipped = fileURLToPath(new URL('../../../../agents/', import.meta.url));

/** Reads and checks the three files; anything missing or unknown stops the start with the file and the path in it. */
export function loadAgentTemplates(folder: string = shipped): AgentTemplates {
  const agents = read(folder, 'agents.yaml', z.record(z.string(), AgentTemplate));
  const tasks = read(folder, 'tasks.yaml', z.record(Stage, TaskTemplate));
  const system = read(
    folder,
    'system_agents.yaml',
    z.strictObject({ agents: z.partialRecord(AgentType, SystemAgent) }),
  );
  for (const type of REQUIRED_AGENT_TYPES) {
    if (!system.agents[type])
      throw errors.CONFIG_INVALID({ detail: `system_agents.yaml: agents.${type}: is required` });
  }
  const instructions = new Map<Stage, string>();
  for (const [stage, task] of Object.entries(tasks)) {
    const agent = agents[task.agent];
    if (!agent)
      throw errors.CONFIG_INVALID({ detail: `tasks.yaml: ${stage}.agent: no agent "${task.agent}" in agents.yaml` });
    instructions.set(Stage.parse(stage), describe(agent, task));
  }
  return {
    instructionsOf: (stage) => instructions.get(stage) ?? '',
    models: Object.fromEntries(
      Object.entries(system.agents).flatMap(([type, agent]) => (agent.model ? [[type, agent.model]] : [])),
    ),
    enabledSkills: system.agents.TASK_EXECUTION?.enabled_skills,
    contextMessages: system.agents.INTENT_RECOGNITION?.context_messages ?? 20,
  };
}

function describe(agent: z.infer<typeof AgentTemplate>, task: z.infer<typeof TaskTemplate>): string {
  return [
    '# ROLE',
    agent.role,
    agent.backstory.trim(),
    '',
    '# GOAL',
    agent.goal,
    '',
    '# TASK',
    task.description.trim(),
    '',
    '# EXPECTED OUTPUT',
    task.expected_output.trim(),
  ].join('\n');
}

function read<Schema extends z.ZodType>(folder: string, name: string, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(parse(readFileSync(join(folder, name), 'utf8')));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `${name}: ${issue.path.join('.')}: ${issue.message}`);
  throw errors.CONFIG_INVALID({ detail: lines.join('\n') });
}
