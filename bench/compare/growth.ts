import { randomUUID } from 'node:crypto';
import { attempt, type Lab, type Outcome, placeFor } from './lab.ts';
import { promptOf, type SetUp } from './set-ups.ts';
import { median } from './statistics.ts';
import { openSubject } from './subject.ts';

export const TURNS = 50;

interface Turn {
  walBytes: number;
  ms: number;
}

/** How the first turns of a long thread compare with its last. */
export interface Growth {
  early: Turn;
  late: Turn;
}

/** One thread, turn after turn; the very first, which makes the thread, is left out. */
export function measureGrowth(lab: Lab, setUp: SetUp, warmUp: number): Promise<Outcome<Growth>> {
  lab.tell(`${TURNS} turns of ${setUp.id}`);
  return attempt(async () => {
    const subject = await openSubject(setUp, await placeFor(lab, setUp, 'growth'));
    await subject.runs(warmUp, promptOf(setUp));
    const threadId = randomUUID();
    const turns: Turn[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const before = await lab.meter.walBytes();
      const ms = await subject.turn(threadId, promptOf(setUp));
      turns.push({ ms, walBytes: (await lab.meter.walBytes()) - before });
    }
    await subject.close();
    return { early: middle(turns.slice(1, 4)), late: middle(turns.slice(-3)) };
  });
}

const middle = (turns: readonly Turn[]): Turn => ({
  ms: median(turns.map(({ ms }) => ms)),
  walBytes: median(turns.map(({ walBytes }) => walBytes)),
});
