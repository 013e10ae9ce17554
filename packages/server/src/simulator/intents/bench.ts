import type { Goal, Intent } from './intent.ts';

const COMMAND = /^bench:\s*(\d{1,4}) (?:(tools?)(?: in (\d{1,4}) turns?)?|(tokens?))$/i;

/** `bench: 10 tools in 8 turns` and `bench: 500 tokens`: known amounts of work, for tests and benchmarks. */
export const bench: Intent = {
  name: 'bench',
  scenario: 'tools',
  greedy: 'message',
  understand(clause, { reading }): Goal | undefined {
    const match = COMMAND.exec(clause.trim());
    const count = Number(match?.[1]);
    if (!match) return undefined;
    if (match[4])
      return {
        say: Array.from({ length: count }, (_, at) => `w${String(at + 1).padStart(2, '0')}`.slice(0, 3)).join(' '),
      };
    const turns = Math.min(Number(match[3] ?? count), count);
    return {
      brief: `bench: ${count} calls of calendar.read in ${turns} turns`,
      draft(plan) {
        let before: string[] = [];
        for (let turn = 0; turn < turns; turn += 1) {
          const size = Math.ceil((count - plan.steps.length) / (turns - turn));
          const after = before;
          before = Array.from({ length: size }, () => {
            // Another day each time, so that no guard takes it for a repetition.
            const date = reading.now.toPlainDate().add({ days: plan.steps.length }).toString();
            return plan.add({
              tool: 'calendar.read',
              task: `bench ${plan.steps.length + 1}`,
              after,
              tolerant: true,
              prepare: () => ({ input: { mode: 'day', date } }),
            });
          });
        }
      },
    };
  },
};
