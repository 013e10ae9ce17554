import { classes } from './classes.ts';
import { ScrollBox } from './scroll-box.tsx';

/** A JSON value as it is, readable and selectable; a long one scrolls, by keyboard too. */
export function JsonText({ label, value, className }: { label: string; value: unknown; className?: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <ScrollBox
      aria-label={label}
      className={classes(
        'max-h-80 overflow-auto rounded-control border border-line bg-sunken px-3 py-2 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap',
        className,
      )}
    >
      {text}
    </ScrollBox>
  );
}
