import type { RunSummary } from '@kith/protocol';
import { Link, useSearch } from '@tanstack/react-router';
import { Page } from '../app/index.ts';
import { Badge, Button, Card, classes, EmptyState, LoadFailure, Loading, Table } from '../design/index.ts';
import { useFormat, useWords } from '../language/index.ts';
import { STATUS_TONES, useRuns } from './run-data.ts';
import { runWords } from './words.ts';

export function RunsPage() {
  const words = useWords(runWords);
  const { status } = useSearch({ from: '/runs' });
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useRuns(status);
  const runs = data?.pages.flatMap((page) => page.runs) ?? [];
  return (
    <Page title={words.title} actions={<Filter status={status} />}>
      <Card>
        {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Loading lines={5} />}
        {data && runs.length === 0 && <Nothing isFiltered={status !== undefined} />}
        {runs.length > 0 && <RunTable runs={runs} />}
      </Card>
      {hasNextPage && (
        <Button className="justify-self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.more}
        </Button>
      )}
    </Page>
  );
}

function Filter({ status }: { status: 'failed' | undefined }) {
  const words = useWords(runWords);
  const choices = [
    { title: words.all, search: {}, isChosen: status === undefined },
    { title: words.failedOnly, search: { status: 'failed' as const }, isChosen: status === 'failed' },
  ];
  return (
    <nav aria-label={words.filter} className="flex overflow-hidden rounded-control border border-line">
      {choices.map(({ title, search, isChosen }) => (
        <Link
          key={title}
          to="/runs"
          search={search}
          aria-current={isChosen ? 'true' : undefined}
          className={classes(
            'px-3 py-1 text-sm whitespace-nowrap',
            isChosen ? 'bg-accent-wash font-medium text-accent' : 'bg-surface text-soft hover:bg-hover',
          )}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const words = useWords(runWords);
  if (isFiltered) {
    return (
      <EmptyState icon="check" title={words.noneFailed}>
        {words.noneFailedHint}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="runs"
      title={words.empty}
      action={
        <Link to="/" className="text-accent underline underline-offset-4">
          {words.toChat}
        </Link>
      }
    >
      {words.emptyHint}
    </EmptyState>
  );
}

function RunTable({ runs }: { runs: readonly RunSummary[] }) {
  const words = useWords(runWords);
  const format = useFormat();
  const took = ({ started_at, finished_at }: RunSummary) =>
    started_at && finished_at ? format.duration(Date.parse(finished_at) - Date.parse(started_at)) : '—';
  return (
    <Table<RunSummary>
      caption={words.list}
      rows={runs}
      rowKey={(run) => run.threadId + run.runId}
      columns={[
        {
          key: 'prompt',
          title: words.asked,
          className: 'min-w-48',
          cell: ({ threadId, runId, prompt, title }) => (
            <>
              <Link
                to="/runs/$threadId/$runId"
                params={{ threadId, runId }}
                className="line-clamp-2 font-medium wrap-anywhere hover:underline"
              >
                {prompt || title || words.untitled}
              </Link>
              {title && !prompt.startsWith(title) && <p className="line-clamp-1 text-sm text-faint">{title}</p>}
            </>
          ),
        },
        {
          key: 'status',
          title: words.status,
          cell: ({ status }) => <Badge tone={STATUS_TONES[status]}>{words.statuses[status]}</Badge>,
        },
        {
          key: 'started',
          title: words.started,
          className: 'whitespace-nowrap',
          cell: ({ created_at }) => format.dateTime(created_at),
        },
        { key: 'took', title: words.duration, numeric: true, className: 'whitespace-nowrap', cell: took },
        {
          key: 'cost',
          title: words.cost,
          numeric: true,
          className: 'whitespace-nowrap',
          cell: ({ cost }) => format.money(cost),
        },
      ]}
    />
  );
}
