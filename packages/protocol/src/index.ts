/** The wire contracts of Kith, as Zod schemas with inferred types. Imports no room; every room may import it. */
export * from './approvals.ts';
export * from './chat.ts';
export * from './events.ts';
export * from './json.ts';
export * from './messages.ts';
export * from './problem.ts';
export * from './profile.ts';
export * from './run-input.ts';
export * from './runs.ts';
export * from './runtime-state.ts';
export * from './sessions.ts';
export * from './settings.ts';
export * from './stages.ts';
export * from './tools.ts';
export * from './ui-schema.ts';
export * from './usage.ts';
