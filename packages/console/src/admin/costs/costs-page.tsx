import { type UsageGrouping, UsageReport } from '@kith/protocol';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { api } from '../../api/index.ts';
import { Card, EmptyState, LoadFailure, Loading, Notice, Select } from '../../design/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import { AdminFrame } from '../admin-frame.tsx';
import { COST_SPANS } from '../routes.ts';
import { Breakdown } from './breakdown.tsx';
import { ExactFigures } from './exact-figures.tsx';
import { costWords } from './words.ts';

const DayChart = lazy(() => import('./day-chart.tsx').then(({ DayChart }) => ({ default: DayChart })));

const beijing = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' });
const dayBefore = (days: number) => beijing.format(Date.now() - days * 86_400_000);

function useUsage(group_by: UsageGrouping, days: number) {
  const query = { group_by, from: dayBefore(days - 1), to: dayBefore(0) };
  return useQuery({
    queryKey: ['usage', query],
    queryFn: ({ signal }) => api.get('api/v1/usage', UsageReport, { query, signal }),
    placeholderData: (previous) => previous,
    refetchInterval: 30_000,
  });
}

export function CostsPage() {
  const { days = 30 } = useSearch({ from: '/admin' });
  return (
    <AdminFrame page="costs" actions={<Span days={days} />}>
      <Costs days={days} />
    </AdminFrame>
  );
}

function Span({ days }: { days: number }) {
  const words = useWords(costWords);
  const navigate = useNavigate({ from: '/admin' });
  return (
    <Select
      aria-label={words.span}
      className="w-auto!"
      value={days}
      onChange={(event) => {
        const chosen = COST_SPANS.find((each) => each === Number(event.target.value));
        void navigate({ search: chosen ? { days: chosen } : {}, replace: true });
      }}
    >
      {COST_SPANS.map((each) => (
        <option key={each} value={each}>
          {words.lastDays(each)}
        </option>
      ))}
    </Select>
  );
}

function Costs({ days }: { days: number }) {
  const words = useWords(costWords);
  const byDay = useUsage('day', days);
  if (byDay.error) return <LoadFailure error={byDay.error} onRetry={() => void byDay.refetch()} />;
  if (!byDay.data) return <Loading lines={5} />;
  if (byDay.data.total.model_calls === 0) {
    return (
      <Card>
        <EmptyState icon="chart" title={words.empty}>
          {words.emptyHint}
        </EmptyState>
      </Card>
    );
  }
  return (
    <>
      <Totals report={byDay.data} />
      <Card title={words.byDay}>
        <Suspense fallback={<Loading lines={5} />}>
          <DayChart report={byDay.data} />
        </Suspense>
        <p className="mt-1 text-sm text-faint">{words.zone}</p>
        <ExactFigures report={byDay.data} />
      </Card>
      <div className="grid grid-cols-1 gap-5 wide:grid-cols-2">
        <Group title={words.byModel} grouping="model" days={days} />
        <Group title={words.byKey} grouping="key" days={days} />
        <Group title={words.byUser} grouping="user" days={days} />
      </div>
    </>
  );
}

function Totals({ report: { total } }: { report: UsageReport }) {
  const words = useWords(costWords);
  const format = useFormat();
  const figures = [
    [words.total, format.money(total.cost), `¥${total.cost}`],
    [words.tokens, format.short(total.total_tokens), format.number(total.total_tokens)],
    [words.calls, format.number(total.model_calls), undefined],
    [
      words.cacheHits,
      total.input_tokens > 0 ? format.percent(total.cached_tokens / total.input_tokens) : '—',
      undefined,
    ],
  ] as const;
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 wide:grid-cols-4">
        {figures.map(([label, value, exact]) => (
          <div key={label} className="rounded-card border border-line bg-surface px-4 py-3">
            <dt className="text-sm text-faint">{label}</dt>
            <dd className="text-xl font-semibold tabular-nums" title={exact}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {total.unpriced_calls > 0 && <Notice tone="warn">{words.unpriced(total.unpriced_calls)}</Notice>}
    </>
  );
}

function Group({ title, grouping, days }: { title: string; grouping: UsageGrouping; days: number }) {
  const { data, error, refetch } = useUsage(grouping, days);
  return (
    <Card title={title}>
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading lines={3} />}
      {data && (
        <>
          <Breakdown report={data} />
          <ExactFigures report={data} />
        </>
      )}
    </Card>
  );
}
