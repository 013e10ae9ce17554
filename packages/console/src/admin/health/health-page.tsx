import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isApiError, send, useStatus } from '../../api/index.ts';
import { Card, JsonText, Loading, Notice } from '../../design/index.ts';
import { useErrorText } from '../../forms/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import { AdminFrame } from '../admin-frame.tsx';
import { readMetrics, type Sample, sumOf, sumsBy } from './metrics.ts';
import { healthWords } from './words.ts';

const REFRESH_MS = 5000;

export function HealthPage() {
  return (
    <AdminFrame page="health">
      <Readiness />
      <About />
      <Metrics />
    </AdminFrame>
  );
}

function Readiness() {
  const words = useWords(healthWords);
  const say = useErrorText();
  const { data, error } = useQuery({
    queryKey: ['readyz'],
    queryFn: async ({ signal }) => {
      await send('GET', 'readyz', { signal });
      return true;
    },
    retry: false,
    refetchInterval: REFRESH_MS,
  });
  return (
    <div role="status">
      {error && (
        <Notice tone="bad" icon="error" title={words.notReady}>
          {say(error)}
        </Notice>
      )}
      {data && !error && <Notice tone="good" icon="check" title={words.ready} />}
    </div>
  );
}

function About() {
  const words = useWords(healthWords);
  const status = useStatus().data;
  if (!status) return <Loading lines={3} />;
  const { version, auth, database, model, simulator } = status;
  return (
    <Figures
      title={words.about}
      figures={[
        [words.version, version],
        [words.auth, words.auths[auth]],
        [words.database, words.databases[database]],
        [words.answering, model ?? (simulator ? words.simulator : '—')],
      ]}
    />
  );
}

function Metrics() {
  const words = useWords(healthWords);
  const { data, error } = useQuery({
    queryKey: ['metrics'],
    queryFn: async ({ signal }) => (await send('GET', 'metrics', { headers: { accept: 'text/plain' }, signal })).text(),
    retry: false,
    refetchInterval: REFRESH_MS,
  });
  if (isApiError(error) && error.code !== 'OFFLINE') return <Notice tone="warn">{words.noMetrics}</Notice>;
  if (!data) return <Loading lines={4} />;
  const samples = readMetrics(data);
  return (
    <>
      <Now samples={samples} />
      <SinceStart samples={samples} />
      <details>
        <summary className="w-fit text-sm text-soft hover:text-ink">{words.raw}</summary>
        <JsonText label={words.raw} value={data} className="mt-2" />
      </details>
    </>
  );
}

function Now({ samples }: { samples: readonly Sample[] }) {
  const words = useWords(healthWords);
  const format = useFormat();
  const started = sumOf(samples, 'process_start_time_seconds');
  const lag = sumOf(samples, 'nodejs_eventloop_lag_p99_seconds');
  return (
    <Figures
      title={words.now}
      figures={[
        [words.activeRuns, format.number(sumOf(samples, 'kith_runs_active') ?? 0)],
        [words.readers, format.number(sumOf(samples, 'kith_stream_readers') ?? 0)],
        [words.memory, format.bytes(sumOf(samples, 'process_resident_memory_bytes') ?? 0)],
        [words.lag, lag === undefined ? '—' : format.duration(Math.round(lag * 1000))],
        [words.uptime, started === undefined ? '—' : format.duration(Date.now() - started * 1000)],
      ]}
    />
  );
}

function SinceStart({ samples }: { samples: readonly Sample[] }) {
  const words = useWords(healthWords);
  const format = useFormat();
  const calls = sumOf(samples, 'kith_model_call_seconds_count') ?? 0;
  const seconds = sumOf(samples, 'kith_model_call_seconds_sum') ?? 0;
  const failed = sumOf(samples, 'kith_http_request_seconds_count', ({ status }) => status?.startsWith('5') ?? false);
  const runs = sumsBy(samples, 'kith_runs_total', 'status').filter(([, count]) => count > 0);
  return (
    <Figures
      title={words.since}
      figures={[
        [words.requests, format.number(sumOf(samples, 'kith_http_request_seconds_count') ?? 0)],
        [words.errors, format.number(failed ?? 0)],
        [
          words.runs,
          runs.map(([status, count]) => `${format.number(count)} ${words.outcomes[status] ?? status}`).join(' · ') ||
            '0',
        ],
        [words.modelCalls, format.number(calls)],
        [words.averageCall, calls === 0 ? '—' : format.duration(Math.round((seconds / calls) * 1000))],
        [words.tokens, format.short(sumOf(samples, 'kith_model_tokens_total') ?? 0)],
      ]}
    />
  );
}

function Figures({ title, figures }: { title: string; figures: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Card title={title}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3">
        {figures.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-sm text-faint">{label}</dt>
            <dd className="font-medium wrap-anywhere tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
