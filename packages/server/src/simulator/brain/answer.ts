/** What the model says: some thinking, a text, and calls of tools; either may be empty. */
export interface Answer {
  reasoning?: string;
  text: string;
  toolCalls: readonly AnsweredCall[];
}

export interface AnsweredCall {
  name: string;
  /** JSON text, as vendors send it. */
  arguments: string;
}

export const textAnswer = (text: string): Answer => ({ text, toolCalls: [] });
export const jsonAnswer = (value: unknown): Answer => ({ text: JSON.stringify(value), toolCalls: [] });
