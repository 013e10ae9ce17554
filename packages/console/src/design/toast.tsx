import { useSyncExternalStore } from 'react';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import { useDesignWords } from './words.ts';

export type ToastTone = 'good' | 'bad' | 'plain';
interface Toast {
  id: number;
  tone: ToastTone;
  text: string;
}

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id));

/** Says something in passing. Failures stay twice as long: they are read, not glanced at. */
export function toast(text: string, tone: ToastTone = 'plain'): void {
  const id = nextId++;
  change([...toasts.slice(-2), { id, tone, text }]);
  setTimeout(() => dismiss(id), tone === 'bad' ? 10_000 : 5000);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Once in the page, always there: a live region must exist before it speaks. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  const words = useDesignWords();
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-50 flex flex-col items-center gap-2 px-4"
    >
      {shown.map(({ id, tone, text }) => (
        <div
          key={id}
          className="pointer-events-auto flex max-w-md animate-appear items-start gap-2.5 rounded-card border border-line bg-surface py-2 ps-3.5 pe-2 shadow-float"
        >
          {tone !== 'plain' && (
            <Icon
              name={tone === 'good' ? 'check' : 'error'}
              className={classes('mt-1', tone === 'good' ? 'text-good' : 'text-bad')}
            />
          )}
          <p className="flex-1 py-0.5">{text}</p>
          <IconButton icon="close" label={words.close} onClick={() => dismiss(id)} className="size-7!" />
        </div>
      ))}
    </div>
  );
}
