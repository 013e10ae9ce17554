/** Roles, goals and instructions from YAML, and the one function that turns them into what a model reads. */

export { buildStagePromptPayload, type StageVariables } from './prompt-payload.ts';
export { type AgentTemplates, loadAgentTemplates, type Stage } from './templates.ts';
