import { z } from 'zod';

/** What the simulator's brain can read out of a request: the same things that a real model would be told. */

export const Profile = z.looseObject({
  user_id: z.string().optional(),
  is_anonymous: z.boolean().optional(),
  username: z.string().optional(),
  display_name: z.string().optional(),
  bio: z.string().optional(),
  department: z.string().optional(),
  role: z.string().optional(),
  custom_fields: z.record(z.string(), z.unknown()).optional(),
  ai_language: z.string().optional(),
  timezone: z.string().optional(),
});
export type Profile = z.infer<typeof Profile>;

export const KnownMemory = z.looseObject({ id: z.string(), kind: z.string().default('fact'), content: z.string() });
export type KnownMemory = z.infer<typeof KnownMemory>;

/** The name stands beside the id, or in the summary. */
export const AttachedFile = z
  .looseObject({
    file_id: z.string(),
    name: z.string().optional(),
    summary: z.looseObject({ name: z.string().optional() }).optional().catch(undefined),
  })
  .transform(({ file_id, name, summary }) => ({ file_id, name: name ?? summary?.name ?? file_id }));
export type AttachedFile = z.infer<typeof AttachedFile>;

export const StageContext = z.looseObject({
  now: z.string().optional(),
  timezone: z.string().optional(),
  ai_language: z.string().optional(),
  memory: z.array(KnownMemory).catch([]).default([]),
  files: z.array(AttachedFile).catch([]).default([]),
  /** Tools of the caller's own, so that the router knows of them too. */
  client_tools: z
    .array(z.looseObject({ name: z.string(), description: z.string().default('') }))
    .catch([])
    .default([]),
});
export type StageContext = z.infer<typeof StageContext>;

/** The envelope of every tool's result. */
export const ToolReply = z.looseObject({
  status: z.string(),
  result: z.unknown().optional(),
  error: z
    .looseObject({ code: z.string().default(''), message: z.string().default(''), field: z.string().nullish() })
    .nullish()
    .catch(undefined),
});
export type ToolReply = z.infer<typeof ToolReply>;

/** A call that the planner made earlier in this turn, with what came back. */
export interface PastCall {
  name: string;
  arguments: string;
  reply: ToolReply | undefined;
}

export interface OfferedTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export interface Prompt {
  /** The contract that the answer must fit, where one was named or shown. */
  schema: { name: string; definition: Record<string, unknown> | undefined } | undefined;
  tools: readonly OfferedTool[];
  profile: Profile;
  context: StageContext;
  /** `# NAME (JSON)` sections of the stage's message, parsed. */
  sections: Readonly<Record<string, unknown>>;
  /** What the user wrote, verbatim. */
  message: string;
  /** Earlier turns, oldest first. */
  history: readonly { role: 'user' | 'assistant'; text: string }[];
  /** The planner's turn so far: one entry per assistant message with calls. */
  rounds: readonly (readonly PastCall[])[];
}
