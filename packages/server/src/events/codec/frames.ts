import type { JsonObject, LoggedEvent } from '@kith/protocol';
import { toFlat } from './flat.ts';

const frames = new WeakMap<LoggedEvent, string>();

/** An event's id on the wire has the form of a Redis stream id. */
export const eventId = (seq: number): string => `${seq}-0`;

/** An event as an SSE frame of the flat dialect. Made once, however many readers get it. */
export function frameOf(logged: LoggedEvent): string {
  const made = frames.get(logged);
  if (made !== undefined) return made;
  const frame = `id: ${eventId(logged.seq)}\nevent: ${logged.event.type}\ndata: ${JSON.stringify(toFlat(logged.event))}\n\n`;
  frames.set(logged, frame);
  return frame;
}

/** For AG-UI clients, which read `data` alone; the id helps whoever stands between. */
export function agUiFrame(event: JsonObject, seq?: number): string {
  const id = seq === undefined ? '' : `id: ${eventId(seq)}\n`;
  return `${id}data: ${JSON.stringify(event)}\n\n`;
}
