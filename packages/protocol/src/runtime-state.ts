import { z } from 'zod';
import { Json, JsonObject } from './json.ts';

/** The RuntimeState: what a session's graph knows, turn by turn. */

export const TokenUsage = z.object({
  prompt_tokens: z.int().nonnegative(),
  completion_tokens: z.int().nonnegative(),
  total_tokens: z.int().nonnegative(),
});
export type TokenUsage = z.infer<typeof TokenUsage>;

export const StorageProvider = z.enum(['aliyun', 'tencent', 'aws', 'gcp', 'gcc', 'local']);
export const ResourceMapping = z.object({ provider: StorageProvider, path: z.string(), public: z.string().optional() });

export const ActionContext = z.object({
  type: z.enum(['text', 'image', 'data']),
  content: Json,
  important: z.boolean(),
  usage_type: z.enum(['refactor', 'modify', 'reference', 'analysis', 'output']),
  mapping: ResourceMapping.optional(),
});
export type ActionContext = z.infer<typeof ActionContext>;

export const Action = z.object({
  /** Rises within the session. */
  id: z.int().positive(),
  node: z.string(),
  preparation: z.string(),
  summary: z.string(),
  result: Json,
  context: ActionContext.optional(),
  relevance: z.number().min(0).max(1),
  usage: TokenUsage,
  next: z.array(z.string()),
});
export type Action = z.infer<typeof Action>;

export const TodoStatus = z.enum(['pending', 'processing', 'completed', 'failed']);
export const TodoError = z.object({
  timestamp: z.string(),
  attempt: z.int(),
  tool_used: z.string(),
  error: z.string(),
  retry_count: z.int(),
  execution_time: z.number(),
});
export const Todo = z.object({
  id: z.string(),
  task: z.string(),
  status: TodoStatus,
  dependencies: z.array(z.string()),
  suggested_tools: z.array(z.string()),
  priority: z.int(),
  execution_tips: z.string(),
  success_criteria: z.string(),
  critical_path_length: z.int(),
  retry: z.int(),
  max_retry: z.int(),
  retry_after: z.string().nullable(),
  error_history: z.array(TodoError),
  completion_details: z
    .object({ completed_at: z.string(), tool_used: z.string(), execution_time: z.number(), output: Json })
    .nullable(),
});
export type Todo = z.infer<typeof Todo>;

export const OutputStructureEntry = z.object({
  id: z.string(),
  expected: z.string(),
  content: z.string(),
  type: z.string(),
});
export type OutputStructureEntry = z.infer<typeof OutputStructureEntry>;

export const OriginFile = z.object({
  file_id: z.string().optional(),
  name: z.string(),
  type: z.string(),
  local_path: z.string().optional(),
  mapping: ResourceMapping,
});
export type OriginFile = z.infer<typeof OriginFile>;

export const PreprocessedFiles = z.object({ documents: JsonObject, tables: JsonObject, other_files: JsonObject });
export type PreprocessedFiles = z.infer<typeof PreprocessedFiles>;

export const RecalledMemory = z.object({
  id: z.string(),
  kind: z.string(),
  content: z.string(),
  score: z.number().optional(),
});
export type RecalledMemory = z.infer<typeof RecalledMemory>;

export const ChatHistoryEntry = z.object({
  role: z.enum(['user', 'assistant', 'tool', 'system']),
  content: z.string(),
});
export type ChatHistoryEntry = z.infer<typeof ChatHistoryEntry>;

export const RuntimeState = z.object({
  prompts: z.array(z.string()),
  user_context: JsonObject,
  memory: z.array(RecalledMemory),
  output_style: z.string(),
  output_structure: z.array(OutputStructureEntry),
  scenario: z.string(),
  task_goals: z.array(z.string()),
  origin_files: z.array(OriginFile),
  preprocessed_files: PreprocessedFiles,
  todos: z.array(z.array(Todo)),
  action_history: z.array(z.array(Action)),
  chat_history: z.array(ChatHistoryEntry),
  usage: z.array(TokenUsage),
});
export type RuntimeState = z.infer<typeof RuntimeState>;
