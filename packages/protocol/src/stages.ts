import { z } from 'zod';
import { JsonObject } from './json.ts';

export const Route = z.enum(['DIRECT_EXECUTION', 'NEEDS_EXECUTION']);
export type Route = z.infer<typeof Route>;

/** The three agent types that every installation must map to a model. */
export const REQUIRED_AGENT_TYPES = ['INTENT_RECOGNITION', 'TASK_EXECUTION', 'RESULT_REPORTING'] as const;
/** All agent types, the optional ones (memory learning, embeddings) included. */
export const AgentType = z.enum([...REQUIRED_AGENT_TYPES, 'MEMORY', 'EMBEDDING']);
export type AgentType = z.infer<typeof AgentType>;

/** What the router says: answer at once, or hand over to execution with a brief. */
export const IntentResult = z
  .object({
    route: Route,
    intent_summary: z.string(),
    assistant_text: z.string().min(1).optional(),
    execution_brief: z.string().min(1).optional(),
    safety_flags: z.array(z.string()).default([]),
    scenario: z.string().optional(),
  })
  .superRefine((intent, check) => {
    const needed = intent.route === 'DIRECT_EXECUTION' ? 'assistant_text' : 'execution_brief';
    if (!intent[needed]) check.addIssue({ code: 'custom', path: [needed], message: `required for ${intent.route}` });
  });
export type IntentResult = z.infer<typeof IntentResult>;

/** What execution found: facts and structure, not the final wording. */
export const ExecutionResult = z.object({
  status: z.enum(['SUCCESS', 'PARTIAL', 'FAILED']),
  execution_summary: z.string(),
  execution_data: JsonObject.default({}),
  report_brief: z.string(),
  error_message: z.string().nullish(),
});
export type ExecutionResult = z.infer<typeof ExecutionResult>;

export const SuggestedAction = z.object({ title: z.string(), message: z.string() });
export type SuggestedAction = z.infer<typeof SuggestedAction>;

/** The reply to the user. `suggested_actions` live in `response_metadata`. */
export const OrganizationResult = z.object({
  assistant_text: z.string().min(1),
  response_metadata: JsonObject.default({}),
});
export type OrganizationResult = z.infer<typeof OrganizationResult>;

export const MemoryKind = z.enum(['fact', 'preference', 'work_profile', 'gist']);
export type MemoryKind = z.infer<typeof MemoryKind>;

/** What the learning step wants to keep; `supersedes` names a known memory that is no longer true. */
export const MemoryUpdate = z.object({
  memories: z.array(
    z.object({ kind: MemoryKind, content: z.string().min(1).max(2000), supersedes: z.string().nullish() }),
  ),
});
export type MemoryUpdate = z.infer<typeof MemoryUpdate>;

/** Whether a todo's success criteria are met, where rules cannot tell. */
export const TodoVerdict = z.object({ met: z.boolean(), reason: z.string() });
export type TodoVerdict = z.infer<typeof TodoVerdict>;
