import type { LoggedEvent } from '@kith/protocol';
import { frameOf } from './codec/frames.ts';

/** The latest events of one thread, in memory, so that many readers cost one read. Everything after `floor` up to `head` is in it. */
export interface ThreadWindow {
  readonly floor: number;
  readonly head: number;
  /** Characters that have passed through it: how far a reader has fallen behind is the difference. */
  readonly passed: number;
  /** Takes events that directly follow `head` on the log's word; `upTo` may lie beyond the last of them. */
  append(events: readonly LoggedEvent[], upTo?: number): void;
  /** Takes events from `floor` backwards. */
  prepend(events: readonly LoggedEvent[], floor: number): void;
  /** Events after `last`; undefined when the window does not reach back that far. */
  after(last: number): LoggedEvent[] | undefined;
}

export interface WindowLimits {
  windowEvents: number;
  windowCharacters: number;
}

export function createThreadWindow(start: number, limits: WindowLimits): ThreadWindow {
  let events: LoggedEvent[] = [];
  let floor = start;
  let head = start;
  let passed = 0;
  let held = 0;
  const sizeOf = (entries: readonly LoggedEvent[]) => entries.reduce((sum, entry) => sum + frameOf(entry).length, 0);

  const trim = () => {
    let excess = Math.max(0, events.length - limits.windowEvents);
    held -= sizeOf(events.slice(0, excess));
    for (; held > limits.windowCharacters && excess < events.length - 1; excess++)
      held -= sizeOf(events.slice(excess, excess + 1));
    floor = events[excess - 1]?.seq ?? floor;
    events = events.slice(excess);
  };

  return {
    get floor() {
      return floor;
    },
    get head() {
      return head;
    },
    get passed() {
      return passed;
    },
    append(news, upTo) {
      events.push(...news);
      const size = sizeOf(news);
      passed += size;
      held += size;
      head = upTo ?? news.at(-1)?.seq ?? head;
      trim();
    },
    prepend(older, newFloor) {
      const size = sizeOf(older);
      if (events.length + older.length > limits.windowEvents || held + size > limits.windowCharacters) return;
      events = [...older, ...events];
      held += size;
      floor = newFloor;
    },
    after(last) {
      if (last < floor) return undefined;
      return events.slice(firstAfter(events, last));
    },
  };
}

/** Events are in order: the place of the first one after `last`. */
function firstAfter(events: readonly LoggedEvent[], last: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.seq ?? 0) <= last) low = middle + 1;
    else high = middle;
  }
  return low;
}
