/** What is remembered of a user: learned, searched by words and by meaning, corrected and forgotten. */
export { mayRemember } from './guard.ts';
export { worthLearning } from './learning-gate.ts';
export { createMemory, type MemoryOptions } from './memory.ts';
export type { Memory, MemorySource } from './port.ts';
export { tokensOf } from './tokens.ts';
