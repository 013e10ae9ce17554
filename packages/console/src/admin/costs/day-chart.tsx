import type { UsageReport } from '@kith/protocol';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { type Format, LOCALES, useFormat, useLanguage, useWords } from '../../language/index.ts';
import { costWords } from './words.ts';
import 'uplot/dist/uPlot.min.css';

const HEIGHT = 200;

/** Cost per day as bars. Heights pass through a float, which no one can see; figures stay in the table beneath. */
export function DayChart({ report }: { report: UsageReport }) {
  const words = useWords(costWords);
  const format = useFormat();
  const locale = LOCALES[useLanguage()];
  const box = useRef<HTMLDivElement>(null);
  const costs = report.groups.map(({ cost }) => cost).join();
  const days = report.groups.map(({ group }) => group).join();
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    return draw(element, days.split(','), costs.split(',').map(Number), format, locale);
  }, [days, costs, format, locale]);
  return (
    <div
      ref={box}
      role="img"
      aria-label={words.chart(report.from, report.to, format.money(report.total.cost))}
      className="h-[200px] w-full"
    />
  );
}

/** The colours of a class as the theme has them now: a canvas knows no variables. */
function colourOf(element: HTMLElement, name: '--color-accent' | '--color-faint' | '--color-line'): string {
  const probe = element.ownerDocument.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function draw(element: HTMLElement, days: string[], costs: number[], format: Format, locale: string): () => void {
  const shortDay = new Intl.DateTimeFormat(locale, { month: 'numeric', day: 'numeric', timeZone: 'UTC' });
  const label = (index: number) => {
    const day = days[index];
    return day === undefined ? '' : shortDay.format(new Date(`${day}T00:00:00Z`));
  };
  const axis = {
    stroke: () => colourOf(element, '--color-faint'),
    grid: { stroke: () => colourOf(element, '--color-line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  };
  const bars = uPlot.paths.bars?.({ size: [0.7, 48], radius: 0.15 });
  const chart = new uPlot(
    {
      width: element.clientWidth || 600,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: [-0.6, days.length - 0.4] },
        y: { range: (_chart, _low, high) => [0, high * 1.1 || 1] },
      },
      axes: [
        {
          ...axis,
          size: 30,
          grid: { show: false },
          values: (_chart, splits) => splits.map((split) => (Number.isInteger(split) ? label(split) : '')),
        },
        { ...axis, size: 72, values: (_chart, splits) => splits.map((split) => format.money(decimal(split))) },
      ],
      series: [
        {},
        {
          fill: () => colourOf(element, '--color-accent'),
          stroke: 'transparent',
          points: { show: false },
          ...(bars ? { paths: bars } : {}),
        },
      ],
    },
    [days.map((_day, index) => index), costs],
    element,
  );
  const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
  resized.observe(element);
  const repaint = () => chart.redraw(false);
  const scheme = window.matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', repaint);
  const themed = new MutationObserver(repaint);
  themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    resized.disconnect();
    themed.disconnect();
    scheme.removeEventListener('change', repaint);
    chart.destroy();
  };
}

/** A mark of the axis as money reads it: no exponent, no digits of a float's own making. */
const decimal = (value: number): string => value.toFixed(8).replace(/\.?0+$/, '');
