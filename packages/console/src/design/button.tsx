import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';

const LOOKS = {
  /** The one thing to do here. */
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  plain: 'border border-line bg-surface text-ink hover:bg-hover',
  quiet: 'text-soft hover:bg-hover hover:text-ink',
  danger: 'border border-line bg-surface text-bad hover:bg-bad-wash',
} as const;
const SIZES = { small: 'h-8 px-2.5 text-sm', medium: 'h-9 px-3.5' } as const;

export type ButtonProps = ComponentProps<'button'> & {
  look?: keyof typeof LOOKS;
  size?: keyof typeof SIZES;
  icon?: IconName;
  /** Under way: cannot be pressed again, and says so. */
  busy?: boolean;
};

const shape =
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control font-medium whitespace-nowrap select-none transition-colors disabled:cursor-not-allowed disabled:opacity-55';

export function Button({ look = 'plain', size = 'medium', icon, busy, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      disabled={rest.disabled || busy}
      className={classes(shape, LOOKS[look], SIZES[size], className)}
    >
      {busy ? <Spinner /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export type IconButtonProps = Omit<ButtonProps, 'children' | 'aria-label' | 'icon'> & { label: string; icon: IconName };

/** A button that is only a picture: its label is read out, and shown on hover. */
export function IconButton({ label, icon, look = 'quiet', size = 'small', busy, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      disabled={rest.disabled || busy}
      className={classes(shape, LOOKS[look], size === 'small' ? 'size-8' : 'size-9', className)}
    >
      {busy ? <Spinner /> : <Icon name={icon} />}
    </button>
  );
}

export function Spinner({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={classes('size-[1.1em] shrink-0 animate-turn', className)}>
      <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" strokeWidth="2.5" opacity="0.25" />
      <path d="M12 3a9 9 0 0 1 9 9" fill="none" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  );
}
