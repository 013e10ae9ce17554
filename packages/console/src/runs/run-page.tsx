import type { RunDetail } from '@kith/protocol';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { isApiError, useCurrentUser } from '../api/index.ts';
import { PageHeader } from '../app/index.ts';
import { Badge, Button, Card, classes, EmptyState, LoadFailure, Loading, Notice, toast } from '../design/index.ts';
import { useErrorText } from '../forms/index.ts';
import { useFormat, useWords } from '../language/index.ts';
import { ActionList } from './action-list.tsx';
import { Audit } from './audit.tsx';
import { RunGraph } from './graph/run-graph.tsx';
import { ModelCalls } from './model-calls.tsx';
import { RUN_VIEWS, type RunView } from './routes.ts';
import { isUnderWay, STATUS_TONES, useCancel, useRun } from './run-data.ts';
import { stepsOf } from './steps.ts';
import { Timeline } from './timeline.tsx';
import { runWords } from './words.ts';

export function RunPage() {
  const words = useWords(runWords);
  const { threadId, runId } = useParams({ from: '/runs/$threadId/$runId' });
  const { data, error, refetch } = useRun(threadId, runId);
  const isMissing = isApiError(error) && error.status === 404;
  return (
    <>
      <PageHeader title={data?.prompt || words.one} actions={data && <Deeds run={data} />} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-6xl grid-cols-1 gap-4 px-4 py-5 wide:px-6">
          <Link to="/runs" className="w-fit text-sm text-accent underline underline-offset-4">
            {words.back}
          </Link>
          {isMissing && <EmptyState icon="search" title={words.notFound} />}
          {error && !isMissing && <LoadFailure error={error} onRetry={() => void refetch()} />}
          {!data && !error && <Loading lines={5} />}
          {data && <Run run={data} />}
        </div>
      </div>
    </>
  );
}

function Deeds({ run }: { run: RunDetail }) {
  const words = useWords(runWords);
  const say = useErrorText();
  const cancel = useCancel(run.threadId, run.runId);
  const canCancel = isUnderWay(run.status) || run.status === 'awaiting_approval';
  return (
    <>
      {canCancel && (
        <Button
          size="small"
          icon="stop"
          busy={cancel.isPending}
          onClick={() =>
            cancel.mutate(undefined, {
              onSuccess: () => toast(words.canceled),
              onError: (error) => toast(say(error), 'bad'),
            })
          }
        >
          {words.cancel}
        </Button>
      )}
      <Link
        to="/chat/$threadId"
        params={{ threadId: run.threadId }}
        className="rounded-control px-2 py-1 text-sm whitespace-nowrap text-accent hover:bg-hover"
      >
        {words.openChat}
      </Link>
    </>
  );
}

function Run({ run }: { run: RunDetail }) {
  const { view = 'timeline' } = useSearch({ from: '/runs/$threadId/$runId' });
  const isAdmin = useCurrentUser().data?.role === 'admin';
  const steps = stepsOf(run);
  return (
    <>
      <Summary run={run} />
      <Views run={run} view={view} isAdmin={isAdmin} />
      <Card>
        {view === 'timeline' && <Timeline steps={steps} isLive={isUnderWay(run.status)} />}
        {view === 'actions' && <ActionList steps={steps} />}
        {view === 'calls' && <ModelCalls run={run} />}
        {view === 'graph' && <RunGraph run={run} steps={steps} />}
        {view === 'audit' && isAdmin && (
          <Audit threadId={run.threadId} runId={run.runId} isLive={isUnderWay(run.status)} />
        )}
      </Card>
    </>
  );
}

function Summary({ run }: { run: RunDetail }) {
  const words = useWords(runWords);
  const format = useFormat();
  const { usage } = run;
  const start = run.started_at ?? run.created_at;
  const took = run.finished_at ? format.duration(Date.parse(run.finished_at) - Date.parse(start)) : '…';
  const cost = `${usage.unpriced_calls > 0 ? `${words.atLeast} ` : ''}${format.money(usage.cost)}`;
  const figures = [
    [words.started, format.dateTime(start)],
    [words.duration, took],
    [words.input, format.number(usage.input_tokens)],
    [words.cached, format.number(usage.cached_tokens)],
    [words.output, format.number(usage.output_tokens)],
    [words.cost, cost],
  ] as const;
  return (
    <div className="grid gap-3">
      <p role="status" className="flex flex-wrap items-center gap-2">
        <Badge tone={STATUS_TONES[run.status]}>{words.statuses[run.status]}</Badge>
        {isUnderWay(run.status) && <span className="animate-breathe text-sm text-accent">{words.live}</span>}
        {run.attempt > 1 && <Badge tone="warn">{words.attempt(run.attempt)}</Badge>}
      </p>
      {run.error && (
        <Notice tone="bad" icon="error" title={run.error}>
          {run.error_id && <code className="text-sm">{run.error_id}</code>}
        </Notice>
      )}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-3 wide:flex wide:gap-x-10">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt className="text-sm text-faint">{label}</dt>
            <dd className="font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Views({ run, view, isAdmin }: { run: RunDetail; view: RunView; isAdmin: boolean }) {
  const words = useWords(runWords);
  const { threadId, runId } = run;
  return (
    <nav aria-label={words.viewLabel} className="flex gap-1 overflow-x-auto border-b border-line">
      {RUN_VIEWS.filter((name) => isAdmin || name !== 'audit').map((name) => (
        <Link
          key={name}
          to="/runs/$threadId/$runId"
          params={{ threadId, runId }}
          search={{ view: name }}
          replace
          aria-current={name === view ? 'page' : undefined}
          className={classes(
            '-mb-px border-b-2 px-3 py-2 whitespace-nowrap',
            name === view ? 'border-accent font-medium text-ink' : 'border-transparent text-soft hover:text-ink',
          )}
        >
          {words.views[name]}
        </Link>
      ))}
    </nav>
  );
}
