import { useState } from 'react';
import { classes } from '../design/index.ts';
import { useFormat, useWords } from '../language/index.ts';
import { StepDetails } from './step-details.tsx';
import { useStepName } from './step-name.ts';
import type { Step } from './steps.ts';
import { timeScale } from './time-scale.ts';
import { runWords } from './words.ts';

const percent = (share: number) => `${share * 100}%`;

/** When each step began and how long it took; stretches in which nothing happened are drawn narrow. */
export function Timeline({ steps, isLive }: { steps: readonly Step[]; isLive: boolean }) {
  const words = useWords(runWords);
  const [open, setOpen] = useState<string>();
  if (steps.length === 0) return <p className="py-6 text-center text-faint">{words.noSteps}</p>;
  const now = isLive ? Date.now() : Math.max(...steps.map(({ from, to }) => to ?? from));
  const spans = steps.map(({ from, to }) => ({ from, to: Math.max(to ?? now, from) }));
  const scale = timeScale(spans);
  return (
    <div className="relative">
      <ol className="grid grid-cols-1">
        {steps.map((step, index) => {
          const span = spans[index] ?? { from: step.from, to: step.from };
          const at = scale.position(span.from);
          return (
            <TimelineRow
              key={step.key}
              step={step}
              at={at}
              width={scale.position(span.to) - at}
              duration={span.to - span.from}
              gaps={scale.gaps}
              isOpen={open === step.key}
              onToggle={() => setOpen(open === step.key ? undefined : step.key)}
            />
          );
        })}
      </ol>
      <Gaps gaps={scale.gaps} />
    </div>
  );
}

interface RowProps {
  step: Step;
  at: number;
  width: number;
  duration: number;
  gaps: ReturnType<typeof timeScale>['gaps'];
  isOpen: boolean;
  onToggle: () => void;
}

function TimelineRow({ step, at, width, duration, gaps, isOpen, onToggle }: RowProps) {
  const format = useFormat();
  const nameOf = useStepName();
  const tone = toneOf(step);
  return (
    <li className="border-line not-last:border-b">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="grid w-full grid-cols-[7.5rem_1fr_4rem] items-center gap-2 rounded py-1.5 text-start text-sm hover:bg-hover/50 sm:grid-cols-[11rem_1fr_5rem_6rem]"
      >
        <span className={classes('truncate ps-1', step.hasFailed && 'text-bad')}>{nameOf(step)}</span>
        <span className="relative h-4 overflow-hidden rounded bg-sunken">
          {gaps.map((gap) => (
            <span
              key={gap.at}
              className="absolute inset-y-0 border-x border-dashed border-edge bg-surface"
              style={{ insetInlineStart: percent(gap.at), width: percent(gap.width) }}
            />
          ))}
          <span
            className={classes(
              'absolute inset-y-0.5 min-w-1 rounded-sm',
              tone,
              step.to === undefined && 'animate-breathe',
            )}
            style={{ insetInlineStart: `min(${percent(at)}, 100% - 4px)`, width: percent(width) }}
          />
        </span>
        <span className="text-end text-soft tabular-nums">{duration > 0 ? format.duration(duration) : '·'}</span>
        <span className="pe-1 text-end text-soft tabular-nums max-sm:hidden">
          {step.cost === undefined ? '' : format.money(step.cost)}
        </span>
      </button>
      {isOpen && <StepDetails step={step} className="mb-3 px-1" />}
    </li>
  );
}

/** Models, tools and waiting each have a colour; the name beside the bar says the same in words. */
function toneOf({ hasFailed, modelCalls, toolCall }: Step): string {
  if (hasFailed) return 'bg-bad';
  if (modelCalls.length > 0) return 'bg-accent';
  if (toolCall?.status === 'awaiting_approval') return 'bg-warn';
  return toolCall ? 'bg-good' : 'bg-edge';
}

function Gaps({ gaps }: { gaps: ReturnType<typeof timeScale>['gaps'] }) {
  const words = useWords(runWords);
  const format = useFormat();
  if (gaps.length === 0) return null;
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-3 text-sm text-faint">
      <span aria-hidden="true" className="h-4 w-3 border-x border-dashed border-edge" />
      {gaps.map(({ at, from, to }) => (
        <span key={at}>{words.gap(format.duration(to - from))}</span>
      ))}
    </p>
  );
}
