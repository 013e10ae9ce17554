import type { ReactNode } from 'react';
import { classes, JsonText } from '../design/index.ts';
import { useFormat, useWords } from '../language/index.ts';
import type { Step } from './steps.ts';
import { runWords } from './words.ts';

/** All that is known of a step: what it did, went in and came out, and what it cost. */
export function StepDetails({ step, className }: { step: Step; className?: string }) {
  const words = useWords(runWords);
  const { action, toolCall } = step;
  const output = toolCall?.result ?? action?.result;
  return (
    <div className={classes('grid gap-3', className)}>
      {action?.summary && <p className="wrap-anywhere">{action.summary}</p>}
      <Figures step={step} />
      <div className="grid gap-3 wide:grid-cols-2">
        {toolCall && <Part title={words.inputJson} value={toolCall.args} />}
        {hasContent(output) && <Part title={words.outputJson} value={output} />}
        {action?.context && <Part title={words.contextJson} value={action.context} />}
      </div>
    </div>
  );
}

const hasContent = (value: unknown): boolean =>
  value !== null && value !== undefined && !(typeof value === 'object' && Object.keys(value).length === 0);

const Part = ({ title, value }: { title: string; value: unknown }) => (
  <div className="min-w-0">
    <p className="mb-1 text-sm text-faint">{title}</p>
    <JsonText label={title} value={value} />
  </div>
);

function Figures({ step }: { step: Step }) {
  const words = useWords(runWords);
  const format = useFormat();
  const { action, toolCall, modelCalls } = step;
  const figures: [string, ReactNode][] = [
    [words.when, <time key="time">{format.dateTime(new Date(step.from).toISOString())}</time>],
  ];
  if (step.to !== undefined && step.to > step.from)
    figures.push([words.duration, format.duration(step.to - step.from)]);
  if (toolCall) figures.push([words.status, words.toolStatuses[toolCall.status]]);
  if (action && step.tokens > 0) {
    const { prompt_tokens, completion_tokens } = action.usage;
    figures.push([words.input, format.number(prompt_tokens)], [words.output, format.number(completion_tokens)]);
  }
  if (step.cost !== undefined) figures.push([words.cost, format.money(step.cost)]);
  const models = [...new Set(modelCalls.map(({ model }) => model).filter((model) => model !== null))];
  if (models.length > 0) figures.push([words.model, models.join(', ')]);
  if (action && action.relevance > 0) figures.push([words.relevance, format.percent(action.relevance)]);
  if (action && action.next.length > 0) {
    const names = action.next.map((next) => words.nodes[next.split(':')[0] ?? next] ?? next);
    figures.push([words.next, names.join(', ')]);
  }
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {figures.map(([label, value]) => (
        <div key={label} className="flex gap-1.5">
          <dt className="text-faint">{label}</dt>
          <dd className="tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
