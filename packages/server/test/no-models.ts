import { errors } from '../src/errors/index.ts';
import type { CallOutcome, Models } from '../src/models/port.ts';

/** An installation without any model: every call fails, none is configured. */
export const noModels: Models = {
  generate: async () => unavailable(),
  structured: async () => unavailable(),
  embed: async () => unavailable(),
  modelFor: () => undefined,
};

const unavailable = (): CallOutcome<never> => ({ ok: false, error: errors.MODEL_UNAVAILABLE(), bookings: [] });
