import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';
import { useDesignWords } from './words.ts';

export type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad';

const WASHES: Record<Tone, string> = {
  plain: 'bg-hover text-soft',
  accent: 'bg-accent-wash text-accent',
  good: 'bg-good-wash text-good',
  warn: 'bg-warn-wash text-warn',
  bad: 'bg-bad-wash text-bad',
};

export type CardProps = Omit<ComponentProps<'section'>, 'title'> & { title?: ReactNode; actions?: ReactNode };

export function Card({ title, actions, className, children, ...rest }: CardProps) {
  return (
    <section {...rest} className={classes('rounded-card border border-line bg-surface p-4', className)}>
      {(title || actions) && (
        <header className="mb-3 flex items-center gap-3">
          <h3 className="flex-1 font-semibold">{title}</h3>
          {actions}
        </header>
      )}
      {children}
    </section>
  );
}

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => (
  <span
    className={classes(
      'inline-flex items-center rounded-full px-2 text-xs leading-5 font-medium whitespace-nowrap',
      WASHES[tone],
    )}
  >
    {children}
  </span>
);

export interface NoticeProps {
  tone?: Tone;
  icon?: IconName;
  title?: ReactNode;
  children?: ReactNode;
  className?: string;
}

/** Something to know about this page: stays where it is put. */
export function Notice({ tone = 'plain', icon = 'info', title, children, className }: NoticeProps) {
  return (
    <div className={classes('flex gap-2.5 rounded-card px-3.5 py-2.5', WASHES[tone], className)}>
      <Icon name={icon} className="mt-[0.27em]" />
      <div className="min-w-0 flex-1">
        {title && <p className="font-medium">{title}</p>}
        {children && <div className="text-soft">{children}</div>}
      </div>
    </div>
  );
}

export interface EmptyStateProps {
  icon?: IconName;
  title: ReactNode;
  /** Why it is empty, or what would fill it. */
  children?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center">
      {icon && <Icon name={icon} className="size-7 text-faint" />}
      <p className="font-medium">{title}</p>
      {children && <div className="max-w-prose text-soft">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}

/** Where something is about to be: the place of a line of text. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden="true" className={classes('h-4 animate-breathe rounded bg-hover', className)} />
);

const WIDTHS = ['w-full', 'w-5/6', 'w-2/3', 'w-11/12', 'w-3/4'];

/** Several lines about to be, said once. */
export function Loading({ lines = 3 }: { lines?: number }) {
  const words = useDesignWords();
  return (
    <div role="status" className="grid gap-3 py-2">
      <span className="sr-only">{words.loading}</span>
      {WIDTHS.slice(0, lines).map((width) => (
        <Skeleton key={width} className={width} />
      ))}
    </div>
  );
}

/** Something could not be fetched. */
export function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const words = useDesignWords();
  return (
    <div role="alert">
      <Notice tone="bad" icon="error" title={words.failed}>
        <p>{error instanceof Error ? error.message : String(error)}</p>
        <Button size="small" className="mt-2" onClick={onRetry}>
          {words.retry}
        </Button>
      </Notice>
    </div>
  );
}
