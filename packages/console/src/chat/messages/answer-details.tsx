import type { UsageTotals } from '@kith/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconButton, LoadFailure, Loading } from '../../design/index.ts';
import { Popover } from '../../design/menu.tsx';
import { useFormat, useWords } from '../../language/index.ts';
import { fetchRun } from '../thread/index.ts';
import { chatWords } from '../words.ts';

/** What an answer took: every call of its run, asked for when somebody wants to know. */
export function AnswerDetails({ threadId, runId }: { threadId: string; runId: string }) {
  const words = useWords(chatWords);
  return (
    <Popover
      label={words.details}
      className="w-72"
      trigger={<IconButton icon="chart" label={words.details} className="text-faint" />}
    >
      <RunUsage threadId={threadId} runId={runId} />
    </Popover>
  );
}

function RunUsage({ threadId, runId }: { threadId: string; runId: string }) {
  const words = useWords(chatWords);
  const { data, error, refetch } = useQuery({
    queryKey: ['runs', threadId, runId],
    queryFn: ({ signal }) => fetchRun(threadId, runId, signal),
  });
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={4} />;
  return (
    <>
      <UsageTable usage={data.usage} />
      <Link
        to="/runs/$threadId/$runId"
        params={{ threadId, runId }}
        className="mt-3 inline-block text-sm text-accent underline underline-offset-4"
      >
        {words.openRun}
      </Link>
    </>
  );
}

export function UsageTable({ usage }: { usage: UsageTotals }) {
  const words = useWords(chatWords);
  const format = useFormat();
  const share = usage.input_tokens > 0 ? ` (${format.percent(usage.cached_tokens / usage.input_tokens)})` : '';
  const lines = [
    [words.input, format.number(usage.input_tokens)],
    [words.cached, `${format.number(usage.cached_tokens)}${share}`],
    [words.output, format.number(usage.output_tokens)],
    ...(usage.reasoning_tokens > 0 ? [[words.reasoning, format.number(usage.reasoning_tokens)]] : []),
    [words.calls, format.number(usage.model_calls)],
  ];
  return (
    <>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1">
        {lines.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-faint">{label}</dt>
            <dd className="text-end tabular-nums">{value}</dd>
          </div>
        ))}
        <div className="col-span-2 mt-0.5 flex border-t border-line pt-1.5 font-medium">
          <dt className="flex-1">{words.cost}</dt>
          <dd className="tabular-nums" title={`¥${usage.cost}`}>
            {format.money(usage.cost)}
          </dd>
        </div>
      </dl>
      {usage.unpriced_calls > 0 && (
        <p className="mt-1.5 text-sm text-warn">{words.unknownCost(usage.unpriced_calls)}</p>
      )}
    </>
  );
}
