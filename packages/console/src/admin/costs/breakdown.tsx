import type { UsageReport } from '@kith/protocol';
import { useFormat, useWords } from '../../language/index.ts';
import { costWords } from './words.ts';

const SHOWN = 8;

/** The dearest first, as bars. Lengths are for the eye and may be rounded; the figures beside them are not. */
export function Breakdown({ report }: { report: UsageReport }) {
  const words = useWords(costWords);
  const format = useFormat();
  const groups = report.groups.toSorted((one, other) => Number(other.cost) - Number(one.cost)).slice(0, SHOWN);
  const most = Math.max(Number.MIN_VALUE, ...groups.map(({ cost }) => Number(cost)));
  return (
    <ul className="grid grid-cols-1 gap-2.5">
      {groups.map(({ group, label, cost, model_calls }) => (
        <li key={group}>
          <div className="flex items-baseline gap-3 text-sm">
            <span className="min-w-0 flex-1 truncate" title={group}>
              {label ?? (group || words.none)}
            </span>
            <span className="text-faint tabular-nums">
              {format.number(model_calls)} {words.calls}
            </span>
            <span className="font-medium tabular-nums" title={`¥${cost}`}>
              {format.money(cost)}
            </span>
          </div>
          <div aria-hidden="true" className="mt-0.5 h-2 rounded-full bg-sunken">
            <div
              className="h-full min-w-1 rounded-full bg-accent"
              style={{ width: `${(Number(cost) / most) * 100}%` }}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}
