/** What the layout and the canvas agree on. */
export const NODE_WIDTH = 208;
export const NODE_HEIGHT = 64;

export interface GraphEdge {
  from: string;
  to: string;
  /** Steps lead down, todos to the right; a call points aside to the todo that it serves. */
  kind: 'step' | 'todo' | 'serves';
}
