import { openKith } from './kith.ts';
import type { OpenSetUp, Place } from './set-ups.ts';

/** The same over HTTP. */
export const open = (place: Place): Promise<OpenSetUp> => openKith(place, ['api', 'worker']);
