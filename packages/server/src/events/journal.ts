import type { KithEvent, LoggedEvent } from '@kith/protocol';
import type { Sql } from '../db/index.ts';
import type { Log } from '../observability/index.ts';
import type { EventBus } from './bus/bus.ts';

/**
 * What runs say between their checkpoints (token deltas, steps, starts). Coalesced for some tens of milliseconds, then
 * committed for all runs of the process in one statement, then published. A run's checkpoint takes along what is still
 * waiting, so the order in the log is the order in which things were said.
 */
export interface Journal {
  open(run: JournalRun): RunJournal;
  /** Publishes events that a checkpoint has committed. */
  publish(sessionId: string, events: readonly LoggedEvent[]): void;
  close(): Promise<void>;
}

export interface JournalRun {
  sessionId: string;
  /** The row's id, and the fencing token that must still hold when its events are committed. */
  rowId: string;
  attempt: number;
  runId: string;
}

export interface RunJournal {
  say(event: KithEvent): void;
  /** Waits for a flush under way and hands over what is unsaid, for a checkpoint to commit. */
  take(): Promise<KithEvent[]>;
  /** A checkpoint that failed gives back what it took: it is still to be said. */
  giveBack(events: readonly KithEvent[]): void;
}

interface Page extends JournalRun {
  waiting: KithEvent[];
  flushing: Promise<void> | undefined;
}

export function createJournal(options: { sql: Sql; bus: EventBus; log: Log; flushMilliseconds: number }): Journal {
  const { sql, bus, log } = options;
  const dirty = new Set<Page>();
  let timer: NodeJS.Timeout | undefined;
  let flushedAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> = Promise.resolve();

  const publish = (sessionId: string, events: readonly LoggedEvent[]) => {
    bus
      .publish(sessionId, events)
      .catch((error) => log.warn({ err: error }, 'publishing failed; readers fill from the log'));
  };

  /** The first words of an answer are what a person waits for. They go out at once, unless something else just did. */
  const soon = (event: KithEvent) => {
    if (event.type !== 'TEXT_MESSAGE_CONTENT' || performance.now() < flushedAt + options.flushMilliseconds) return;
    clearTimeout(timer);
    timer = setTimeout(flush, 0);
  };

  const flush = async () => {
    timer = undefined;
    flushedAt = performance.now();
    // One statement at a time: a slow database makes pages larger, not the queue longer.
    await underWay;
    const pages = [...dirty].filter((page) => page.waiting.length > 0);
    dirty.clear();
    if (pages.length === 0) return;
    const taken = new Map(pages.map((page) => [page, page.waiting.splice(0)]));
    const done = commitPages(sql, taken)
      .then((committed) => {
        for (const [page, events] of committed) publish(page.sessionId, events);
      })
      .catch((error) => {
        log.warn({ err: error }, 'events could not be committed; kept for the next try');
        for (const [page, events] of taken) page.waiting.unshift(...events);
      })
      .finally(() => {
        for (const page of pages) page.flushing = undefined;
      });
    for (const page of pages) page.flushing = done;
    underWay = done;
    await done;
  };

  return {
    open(run) {
      const page: Page = { ...run, waiting: [], flushing: undefined };
      return {
        say(event) {
          if (!joinsLast(page.waiting, event)) page.waiting.push(event);
          dirty.add(page);
          timer ??= setTimeout(flush, options.flushMilliseconds);
          if (page.waiting.at(-2)?.type === 'TEXT_MESSAGE_START') soon(event);
        },
        async take() {
          while (page.flushing) await page.flushing;
          dirty.delete(page);
          return page.waiting.splice(0);
        },
        giveBack(events) {
          page.waiting.unshift(...events);
        },
      };
    },
    publish,
    async close() {
      clearTimeout(timer);
      await flush();
    },
  };
}

/** Neighbouring deltas of one message become one event. */
function joinsLast(waiting: KithEvent[], event: KithEvent): boolean {
  const last = waiting.at(-1);
  if (event.type !== 'TEXT_MESSAGE_CONTENT' && event.type !== 'REASONING_MESSAGE_CONTENT') return false;
  if (last?.type !== event.type || last.messageId !== event.messageId) return false;
  waiting[waiting.length - 1] = { ...last, delta: last.delta + event.delta };
  return true;
}

/** Only pages whose run is still held by that attempt get a place: a fenced-out worker's words are dropped. */
async function commitPages(sql: Sql, taken: Map<Page, KithEvent[]>): Promise<Map<Page, LoggedEvent[]>> {
  const pages = [...taken.keys()];
  const input = pages.map((page) => ({
    session_id: page.sessionId,
    row_id: page.rowId,
    attempt: page.attempt,
    run_id: page.runId,
    events: taken.get(page) ?? [],
  }));
  const rows = await sql<{ session_id: string; base: number }[]>`
    with input as (
      select * from jsonb_to_recordset(${sql.json(input)}::jsonb)
        as page (session_id uuid, row_id uuid, attempt integer, run_id text, events jsonb)
    ), heads as (
      update sessions set event_head = event_head + jsonb_array_length(input.events)
      from input
      where sessions.id = input.session_id
        and sessions.holder_run = input.row_id and sessions.holder_attempt = input.attempt
      returning sessions.id, sessions.event_head - jsonb_array_length(input.events) as base
    ), written as (
      insert into run_events (session_id, seq, run_id, attempt, type, payload)
      select input.session_id, heads.base + entry.place, input.run_id, input.attempt, entry.event ->> 'type', entry.event
      from input join heads on heads.id = input.session_id
        cross join jsonb_array_elements(input.events) with ordinality as entry (event, place)
    )
    select id as session_id, base from heads`;
  const bases = new Map(rows.map((row) => [row.session_id, row.base]));
  const committed = new Map<Page, LoggedEvent[]>();
  for (const page of pages) {
    const base = bases.get(page.sessionId);
    if (base === undefined) continue;
    const events = (taken.get(page) ?? []).map((event, index) => ({ seq: base + index + 1, runId: page.runId, event }));
    committed.set(page, events);
  }
  return committed;
}
