import { ExecutionResult, type JsonObject, OutputStructureEntry, ProjectCliArgs } from '@kith/protocol';
import { z } from 'zod';
import type { ModelTool, ToolCall } from '../models/index.ts';
import type { PlannedCall, RunInput } from './state.ts';

/** The functions that the planner may call, and how its calls are read. */

export const OUTPUT_TOOLS = ['output.reply', 'output.document', 'output.table'] as const;

export const PlanArgs = z.object({
  todos: z
    .array(
      z.object({
        id: z.coerce.string().min(1),
        task: z.string().min(1),
        dependencies: z.array(z.coerce.string()).optional(),
        suggested_tools: z.array(z.string()).optional(),
        priority: z.int().optional(),
        execution_tips: z.string().optional(),
        success_criteria: z.string().optional(),
        max_retry: z.int().min(0).max(10).optional(),
      }),
    )
    .min(1)
    .max(50),
  output_style: z.string().optional(),
  output_structure: z.array(OutputStructureEntry.omit({ content: true })).optional(),
});

export const FinishArgs = ExecutionResult.extend({ output: z.enum(OUTPUT_TOOLS).default('output.reply') });

const schemaOf = (schema: z.ZodType): JsonObject =>
  JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })));

const projectCli: ModelTool = {
  name: 'project_cli',
  description: 'Runs one method of a module. The cards say which there are and what input they take.',
  parameters: schemaOf(ProjectCliArgs),
};
const plan: ModelTool = {
  name: 'plan',
  description:
    'Lays down the steps of a larger request: todos with their dependencies, and what the reply shall look like.',
  parameters: schemaOf(PlanArgs),
};
const finish: ModelTool = {
  name: 'finish',
  description: 'Ends the work with its result. Call it alone, when all other calls have answered.',
  parameters: schemaOf(FinishArgs),
};

export function plannerTools(input: RunInput): ModelTool[] {
  const own = new Set(['project_cli', 'plan', 'finish']);
  const fromClient = input.clientTools
    .filter((tool) => !own.has(tool.name))
    .map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: tool.parameters ?? { type: 'object', properties: {} },
    }));
  return [projectCli, plan, finish, ...fromClient];
}

export type ReadCalls =
  | { kind: 'finish'; finish: z.infer<typeof FinishArgs> }
  | { kind: 'calls'; planned: PlannedCall[] };

/** What the planner wants: to finish, or these calls. What cannot be read becomes a call that fails with the reason. */
export function readPlannerCalls(calls: readonly ToolCall[], input: RunInput): ReadCalls {
  const only = calls.length === 1 ? calls[0] : undefined;
  if (only?.name === 'finish') {
    const parsed = FinishArgs.safeParse(parseArguments(only.arguments));
    if (parsed.success) return { kind: 'finish', finish: parsed.data };
  }
  return { kind: 'calls', planned: calls.map((call) => readCall(call, input)) };
}

function readCall(call: ToolCall, input: RunInput): PlannedCall {
  const base = { tool_call_id: call.id, args: {} };
  const args = parseArguments(call.arguments);
  if (args === undefined) {
    return { ...base, tool_name: call.name, kind: 'invalid', error: 'the arguments are not a JSON object' };
  }
  if (call.name === 'finish') {
    const parsed = FinishArgs.safeParse(args);
    const error = parsed.success ? 'call finish alone, after the other results are in' : reasonOf(parsed.error);
    return { ...base, tool_name: 'finish', kind: 'invalid', args, error };
  }
  if (call.name === 'plan') return { ...base, tool_name: 'plan', kind: 'plan', args };
  if (call.name === 'project_cli') {
    const parsed = ProjectCliArgs.safeParse(args);
    if (!parsed.success)
      return { ...base, tool_name: 'project_cli', kind: 'invalid', args, error: reasonOf(parsed.error) };
    const { todo_id, ...rest } = parsed.data;
    const name = `${rest.module}.${rest.method}`;
    return { ...base, tool_name: name, kind: 'skill', args: rest, ...(todo_id ? { todo_id } : {}) };
  }
  if (input.clientTools.some((tool) => tool.name === call.name)) {
    return { ...base, tool_name: call.name, kind: 'client', args };
  }
  return { ...base, tool_name: call.name, kind: 'invalid', args, error: `there is no function ${call.name}` };
}

export function parseArguments(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

export const reasonOf = (error: z.ZodError): string =>
  error.issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`).join('; ');
