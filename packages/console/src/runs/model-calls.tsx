import type { ModelCallDetail, RunDetail } from '@kith/protocol';
import { Badge, Table, type Tone } from '../design/index.ts';
import { useFormat, useWords } from '../language/index.ts';
import { runWords } from './words.ts';

const TONES = {
  started: 'accent',
  succeeded: 'good',
  failed: 'bad',
  lost: 'warn',
} as const satisfies Record<ModelCallDetail['status'], Tone>;

/** What each call to a model took and cost; the last line is the ledger's own sum. */
export function ModelCalls({ run }: { run: RunDetail }) {
  const words = useWords(runWords);
  const format = useFormat();
  const figure = (value: number | null) => (value === null ? '—' : format.number(value));
  if (run.model_calls.length === 0) return <p className="py-6 text-center text-faint">{words.noCalls}</p>;
  const { usage } = run;
  return (
    <Table<ModelCallDetail>
      caption={words.modelCalls}
      rows={run.model_calls}
      rowKey={(call) => call.id}
      columns={[
        {
          key: 'stage',
          title: words.stage,
          cell: (call) => words.agents[call.agent_type] ?? call.agent_type,
          className: 'whitespace-nowrap',
        },
        {
          key: 'model',
          title: words.model,
          cell: (call) => (
            <>
              <span className="font-mono text-sm">{call.model ?? '—'}</span>
              {call.price_card && <span className="block text-xs text-faint">{call.price_card}</span>}
              {call.error && <span className="block text-sm text-bad">{call.error}</span>}
            </>
          ),
        },
        {
          key: 'status',
          title: words.status,
          cell: ({ status }) => <Badge tone={TONES[status]}>{words.callStatuses[status]}</Badge>,
        },
        { key: 'input', title: words.input, numeric: true, cell: (call) => figure(call.input_tokens) },
        { key: 'cached', title: words.cached, numeric: true, cell: (call) => figure(call.cached_tokens) },
        { key: 'output', title: words.output, numeric: true, cell: (call) => figure(call.output_tokens) },
        {
          key: 'latency',
          title: words.latency,
          numeric: true,
          className: 'whitespace-nowrap',
          cell: ({ latency_ms }) => (latency_ms === null ? '—' : format.duration(latency_ms)),
        },
        {
          key: 'cost',
          title: words.cost,
          numeric: true,
          cell: ({ cost }) => <span title={cost === null ? undefined : `¥${cost}`}>{format.money(cost)}</span>,
        },
      ]}
      footer={
        <tr className="border-t border-line font-medium">
          <th scope="row" colSpan={3} className="px-2 py-2 text-start font-medium">
            {words.total}
          </th>
          <td className="px-2 py-2 text-end tabular-nums">{figure(usage.input_tokens)}</td>
          <td className="px-2 py-2 text-end tabular-nums">{figure(usage.cached_tokens)}</td>
          <td className="px-2 py-2 text-end tabular-nums">{figure(usage.output_tokens)}</td>
          <td />
          <td className="px-2 py-2 text-end tabular-nums" title={`¥${usage.cost}`}>
            {format.money(usage.cost)}
          </td>
        </tr>
      }
    />
  );
}
