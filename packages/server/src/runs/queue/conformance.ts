import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import type { RunQueue, RunSignals } from './queue.ts';

/** What every queue must do. */
export function describeRunQueue(name: string, make: () => { queue: RunQueue; signals: RunSignals }): void {
  describe(`the ${name} queue`, () => {
    const opened: { queue: RunQueue; signals: RunSignals }[] = [];
    const open = () => {
      const pair = make();
      opened.push(pair);
      return pair;
    };
    afterEach(async () => {
      for (const { queue, signals } of opened.splice(0)) await Promise.all([queue.close(), signals.close()]);
    });

    test('hands every woken thread to the handler', async () => {
      const { queue } = open();
      const seen = new Set<string>();
      await queue.wake('before');
      await queue.start(async (sessionId) => void seen.add(sessionId), 4);
      await queue.wake('after');
      await eventually(() => expect(seen).toEqual(new Set(['before', 'after'])));
    });

    test('looks again at a thread that is woken while it is handled, and never handles it twice at once', async () => {
      const { queue } = open();
      const gates: (() => void)[] = [];
      let active = 0;
      let most = 0;
      await queue.start(async () => {
        most = Math.max(most, ++active);
        await new Promise<void>((resolve) => gates.push(resolve));
        active--;
      }, 4);
      await queue.wake('thread');
      await eventually(() => expect(gates).toHaveLength(1));
      await queue.wake('thread');
      await queue.wake('thread');
      gates[0]?.();
      await eventually(() => expect(gates).toHaveLength(2));
      gates[1]?.();
      await eventually(() => expect(active).toBe(0));
      expect(most).toBe(1);
    });

    test('keeps to its concurrency, work taken here included', async () => {
      const { queue } = open();
      const gates: (() => void)[] = [];
      const wait = () => new Promise<void>((resolve) => gates.push(resolve));
      await queue.start(wait, 2);
      expect(queue.hasRoom()).toBe(true);
      queue.runHere('one', wait);
      queue.runHere('two', wait);
      expect(queue.hasRoom()).toBe(false);
      for (const gate of gates.splice(0)) gate();
      await eventually(() => expect(queue.hasRoom()).toBe(true));
    });

    test('goes on after a handler that fails', async () => {
      const { queue } = open();
      const seen: string[] = [];
      await queue.start(async (sessionId) => {
        seen.push(sessionId);
        if (sessionId === 'bad') throw new Error('no');
      }, 1);
      await queue.wake('bad');
      await queue.wake('good');
      await eventually(() => expect(seen).toEqual(['bad', 'good']));
    });

    test('drains: what is under way ends, nothing new is begun', async () => {
      const { queue } = open();
      const gates: (() => void)[] = [];
      const seen: string[] = [];
      await queue.start(async (sessionId) => {
        seen.push(sessionId);
        await new Promise<void>((resolve) => gates.push(resolve));
      }, 1);
      await queue.wake('first');
      await eventually(() => expect(seen).toEqual(['first']));
      const drained = queue.drain();
      await queue.wake('second');
      for (const gate of gates) gate();
      await drained;
      expect(queue.hasRoom()).toBe(false);
      expect(seen).toEqual(['first']);
    });

    test('carries a cancel to whoever listens', async () => {
      const { signals } = open();
      const heard: string[] = [];
      await signals.onCancel((rowId) => heard.push(rowId));
      await signals.cancel('run-1');
      await eventually(() => expect(heard).toEqual(['run-1']));
    });
  });
}
