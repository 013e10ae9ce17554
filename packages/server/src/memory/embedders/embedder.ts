import type { ModelCallRow } from '../../models/index.ts';

/** Whom an embedding call is made for. */
export interface EmbeddingRequest {
  userId: string;
  sessionId?: string | undefined;
  runId?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Turns texts into vectors. Memory works without one, by words alone. */
export interface Embedder {
  /** The model for a text; only vectors of the same model compare. */
  spaceOf(text: string): string;
  /** All spaces that are in use now: a vector of any other is old and due to be made anew. */
  spaces: readonly string[];
  /** Whether its calls cost money and belong to a run: then memories are embedded in the same call as the query. */
  isBooked: boolean;
  /** Vectors of length one, in the order of the texts; undefined where the model could not be reached. */
  embed(
    space: string,
    texts: readonly string[],
    request: EmbeddingRequest,
  ): Promise<{ vectors: Float32Array[] | undefined; bookings: ModelCallRow[] }>;
}

/** A vector of length one, or undefined for what cannot be one. */
export function unit(values: ArrayLike<number>): Float32Array | undefined {
  const vector = Float32Array.from(values);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (vector.length === 0 || !Number.isFinite(length) || length === 0) return undefined;
  return vector.map((value) => value / length);
}
