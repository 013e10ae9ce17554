import type { UsageGroup, UsageReport } from '@kith/protocol';
import { Table } from '../../design/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import { costWords } from './words.ts';

/** The chart in figures, to the last digit; the total is the ledger's own. */
export function ExactFigures({ report }: { report: UsageReport }) {
  const words = useWords(costWords);
  const format = useFormat();
  const groups = report.groups.filter(({ model_calls }) => model_calls > 0);
  const figures = (usage: Omit<UsageGroup, 'group' | 'label'>) => [
    format.number(usage.model_calls),
    format.number(usage.input_tokens),
    format.number(usage.cached_tokens),
    format.number(usage.output_tokens),
    usage.cost,
  ];
  const titles = [words.calls, words.input, words.cached, words.output, words.cost];
  return (
    <details className="mt-3">
      <summary className="w-fit text-sm text-soft hover:text-ink">{words.exact}</summary>
      <Table<UsageGroup>
        caption={words.exact}
        rows={groups}
        rowKey={(row) => row.group}
        columns={[
          {
            key: 'group',
            title: words.group,
            cell: ({ group, label }) => <span className="wrap-anywhere">{label ?? (group || words.none)}</span>,
          },
          ...titles.map((title, index) => ({
            key: title,
            title,
            numeric: true,
            cell: (row: UsageGroup) => figures(row)[index],
          })),
        ]}
        footer={
          <tr className="border-t border-line font-medium">
            <th scope="row" className="px-2 py-2 text-start font-medium">
              {words.sum}
            </th>
            {figures(report.total).map((figure, index) => (
              <td key={titles[index]} className="px-2 py-2 text-end tabular-nums">
                {figure}
              </td>
            ))}
          </tr>
        }
      />
    </details>
  );
}
