import { attempt, databaseOf, type Lab, type Outcome, placeFor } from './lab.ts';
import { promptOf, type SetUp, TOOLS } from './set-ups.ts';
import { median } from './statistics.ts';
import { openSubject, type Subject } from './subject.ts';

/** What one run on a new thread costs. */
export interface Cost {
  cpuMs: number;
  walBytes: number;
}

/** All set-ups are open at once and take turns: whatever else the machine does slows them alike. Medians of the rounds. */
export async function measureRuns(
  lab: Lab,
  setUps: readonly SetUp[],
  plan: { warmUp: number; rounds: number; runs: number },
): Promise<Map<SetUp, Outcome<Cost>>> {
  const open = new Map<SetUp, Subject>();
  const samples = new Map<SetUp, Cost[]>();
  const results = new Map<SetUp, Outcome<Cost>>();
  for (const setUp of setUps) {
    lab.tell(`opening ${setUp.id}`);
    const opened = await attempt(async () => openSubject(setUp, await placeFor(lab, setUp, 'runs'), lab.profileFolder));
    if ('value' in opened) open.set(setUp, opened.value);
    else results.set(setUp, opened);
  }
  for (let round = 0; round < plan.warmUp + plan.rounds; round += 1) {
    lab.tell(`round ${round + 1} of ${plan.warmUp + plan.rounds}`);
    for (const [setUp, subject] of open) {
      const batch = await attempt(() => measureBatch(lab, setUp, subject, plan.runs));
      if ('failure' in batch) {
        results.set(setUp, batch);
        open.delete(setUp);
        await subject.close();
      } else if (round >= plan.warmUp) samples.set(setUp, [...(samples.get(setUp) ?? []), batch.value]);
    }
  }
  for (const [setUp, subject] of open) {
    await subject.close();
    results.set(setUp, { value: middle(samples.get(setUp) ?? []) });
  }
  return results;
}

const middle = (costs: readonly Cost[]): Cost => ({
  cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
  walBytes: median(costs.map(({ walBytes }) => walBytes)),
});

/** Figures count only if the work was done: so many calls seen by the model, so many tools run. */
async function measureBatch({ model, meter }: Lab, setUp: SetUp, subject: Subject, runs: number): Promise<Cost> {
  const before = { calls: await model.calls(), tools: await subject.toolRuns(), wal: await meter.walBytes() };
  const cpuMs = await subject.runs(runs, promptOf(setUp));
  const walBytes = (await meter.walBytes()) - before.wal;
  const calls = ((await model.calls()) - before.calls) / runs;
  const tools = ((await subject.toolRuns()) - before.tools) / runs;
  if (calls !== setUp.modelCalls || tools !== TOOLS)
    throw new Error(`a run made ${calls} model calls and ${tools} tool calls, not ${setUp.modelCalls} and ${TOOLS}`);
  return { cpuMs: cpuMs / runs, walBytes: walBytes / runs };
}

/** Transactions a run: two lives of a process differ by so many runs, so what opening and closing it commits falls out. */
export function measureTransactions(lab: Lab, setUp: SetUp, runs: number): Promise<Outcome<number>> {
  lab.tell(`transactions of ${setUp.id}`);
  return attempt(async () => {
    const place = await placeFor(lab, setUp, 'transactions');
    const commits = () => lab.meter.commits(databaseOf(setUp, 'transactions'));
    const life = async (count: number) => {
      const before = await commits();
      const subject = await openSubject(setUp, place);
      if (count > 0) await subject.runs(count, promptOf(setUp));
      await subject.close();
      return (await commits()) - before;
    };
    await life(0); // makes its tables
    const short = await life(2);
    return ((await life(2 + runs)) - short) / runs;
  });
}
