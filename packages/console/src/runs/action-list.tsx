import { Badge, Icon } from '../design/index.ts';
import { useFormat, useWords } from '../language/index.ts';
import { StepDetails } from './step-details.tsx';
import { useStepName } from './step-name.ts';
import type { Step } from './steps.ts';
import { runWords } from './words.ts';

/** Every step in order, in words; each opens to its input and output. */
export function ActionList({ steps }: { steps: readonly Step[] }) {
  const words = useWords(runWords);
  if (steps.length === 0) return <p className="py-6 text-center text-faint">{words.noSteps}</p>;
  return (
    <ol className="grid grid-cols-1">
      {steps.map((step) => (
        <li key={step.key} className="border-line not-last:border-b">
          <ActionRow step={step} />
        </li>
      ))}
    </ol>
  );
}

function ActionRow({ step }: { step: Step }) {
  const words = useWords(runWords);
  const format = useFormat();
  const nameOf = useStepName();
  return (
    <details className="group">
      <summary className="flex list-none items-baseline gap-2.5 rounded py-2 hover:bg-hover/50">
        <Icon name="chevronRight" className="translate-y-0.5 text-faint transition-transform group-open:rotate-90" />
        <span className="w-6 shrink-0 text-end text-sm text-faint tabular-nums">{step.action?.id ?? ''}</span>
        <Badge tone={step.hasFailed ? 'bad' : step.modelCalls.length > 0 ? 'accent' : step.toolCall ? 'good' : 'plain'}>
          {nameOf(step)}
        </Badge>
        <span className="min-w-0 flex-1 truncate text-soft">{step.action?.summary}</span>
        {step.tokens > 0 && (
          <span className="text-sm whitespace-nowrap text-faint tabular-nums max-sm:hidden">
            {format.number(step.tokens)} {words.tokens}
          </span>
        )}
        {step.cost !== undefined && (
          <span className="pe-1 text-sm text-faint tabular-nums max-sm:hidden">{format.money(step.cost)}</span>
        )}
      </summary>
      <StepDetails step={step} className="mb-4 ps-1 sm:ps-14" />
    </details>
  );
}
