import { classes } from './classes.ts';

/** Drawn on a 24-unit square with one stroke; only what the console shows. */
const PATHS = {
  add: 'M12 5v14M5 12h14',
  arrowDown: 'M12 5v14M6 13l6 6 6-6',
  arrowUp: 'M12 19V5M6 11l6-6 6 6',
  attach: 'M20 11.5 12.2 19.3a5 5 0 0 1-7.1-7.1L13 4.4a3.4 3.4 0 0 1 4.8 4.8l-7.7 7.7a1.7 1.7 0 0 1-2.4-2.4l7-7',
  back: 'M19 12H5M11 6l-6 6 6 6',
  calendar: 'M4 6.5h16v13H4zM4 10.5h16M8.5 4v4M15.5 4v4',
  chart: 'M4 20h16M7 16v-5M12 16V6M17 16v-8',
  chat: 'M4 5h16v11H10.5L6 19.5V16H4z',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevronDown: 'm6 9 6 6 6-6',
  chevronRight: 'm9 6 6 6-6 6',
  clock: 'M12 7.5V12l3 2M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z',
  close: 'M6 6l12 12M18 6 6 18',
  contacts: 'M12 12a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM5 20a7 7 0 0 1 14 0',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  edit: 'M14.5 5.5l4 4L8 20H4v-4zM12.5 7.5l4 4',
  error: 'M12 8v5M12 16v.3M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z',
  file: 'M6 3.5h8l4 4v13H6zM14 3.5v4h4',
  info: 'M12 11v5M12 8v.3M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z',
  key: 'M14.5 13.5a4.5 4.5 0 1 0-4-4L4 16v4h4v-2h2v-2h2z',
  memory:
    'M12 4.5c-4.5-3-8 1.5-6 4.5-3 2-1 6.5 2 6 .5 4.5 4 4.5 4 1.5V6.5M12 4.5c4.5-3 8 1.5 6 4.5 3 2 1 6.5-2 6-.5 4.5-4 4.5-4 1.5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  runs: 'M5 6h6M5 12h10M5 18h14M15 6h4',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20',
  settings: 'M4 7h9M17 7h3M15 4.5v5M4 12h3M11 12h9M9 9.5v5M4 17h9M17 17h3M15 14.5v5',
  shield: 'M12 3.5 5 6v5.5c0 4.5 3 7.5 7 9 4-1.5 7-4.5 7-9V6z',
  stop: 'M6.5 6.5h11v11h-11z',
  tool: 'M14.5 6.5a4 4 0 0 1 5-1L17 8l.5 2 2 .5 2-2.5a4 4 0 0 1-5.5 4.5L9 19.5a2.1 2.1 0 0 1-3-3l7-7a4 4 0 0 1 1.5-3z',
  trash: 'M5 7h14M9.5 7V4.5h5V7M7 7l.8 13h8.4L17 7M10.5 11v5M13.5 11v5',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0',
  warning: 'M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.3',
} as const;

export type IconName = keyof typeof PATHS;

/** Always beside words or inside a labelled control, so it is silent to screen readers. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      fill={name === 'stop' ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={name === 'more' ? 3 : 1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={classes('size-[1.15em] shrink-0', className)}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
