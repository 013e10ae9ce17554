import { Link, useLocation } from '@tanstack/react-router';
import { classes } from '../design/index.ts';

export interface PageTab {
  to: string;
  title: string;
}

/** The pages of a section, side by side: each has an address of its own. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly PageTab[] }) {
  const path = useLocation({ select: ({ pathname }) => pathname.replace(/(.)\/$/, '$1') });
  return (
    <nav aria-label={label} className="flex shrink-0 gap-1 overflow-x-auto border-b border-line px-2 wide:px-4">
      {tabs.map(({ to, title }) => (
        <Link
          key={to}
          to={to}
          aria-current={path === to ? 'page' : undefined}
          className={classes(
            '-mb-px border-b-2 px-2.5 py-2 whitespace-nowrap',
            path === to ? 'border-accent font-medium text-ink' : 'border-transparent text-soft hover:text-ink',
          )}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
