import type { SkillInfo, SkillMethod } from './port.ts';
import type { Words } from './words.ts';

/** A skill as the registry holds it, wherever it comes from. */
export interface SkillModule {
  name: string;
  source: SkillInfo['source'];
  /** Said to everyone who can see the skill. */
  description(): string;
  /** What the planner reads besides the cards. */
  instructions: string;
  methods(): readonly PresentedMethod[];
  /** Why it cannot be used now. */
  error(): string | undefined;
  /** Tries to make it usable, where that takes something. */
  prepare?(signal: AbortSignal): Promise<void>;
  close?(): Promise<void>;
}

export interface PresentedMethod {
  method: SkillMethod;
  names: Words;
  card: string;
}
