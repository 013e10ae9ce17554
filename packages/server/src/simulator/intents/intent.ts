import type { Reading } from '../language/reading.ts';
import type { OfferedTool } from '../prompt/prompt.ts';
import type { Draft } from './draft.ts';

/** What one clause of a message asks for. */
export type Goal =
  /** Answered at once, from what the prompt says. `aside`: politeness, left out beside anything else. */
  | { say: string; aside?: boolean; flags?: readonly string[] }
  /** Takes tools: `brief` says what is to be done, `draft` puts the steps into the plan. */
  | { brief: string; draft(plan: Draft): void };

/** What an intent may look at besides the clause. */
export interface Listener {
  reading: Reading;
  /** Tools offered in the request that are not Kith's own. */
  clientTools: readonly OfferedTool[];
}

/** One thing that the simulator understands. */
export interface Intent {
  name: string;
  scenario: 'chat' | 'identity' | 'calendar' | 'contacts' | 'memory' | 'files' | 'writing' | 'tools';
  /** Takes everything to the end: what follows `remember that` in the sentence is not a further request. */
  greedy?: 'sentence' | 'message';
  understand(clause: string, listener: Listener): Goal | undefined;
}
