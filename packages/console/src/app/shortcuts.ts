import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';

export interface Shortcut {
  /** `mod+k` (⌘ on a Mac, Ctrl elsewhere), `mod+shift+o`, `/`, `?`, `escape`. */
  keys: string;
  description: string;
  run: (event: KeyboardEvent) => void;
}

let active: readonly Shortcut[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Shortcut[]): void {
  active = next;
  for (const listener of listeners) listener();
}

/** Holds while the component is there and it is active. The newest of two with the same keys wins. */
export function useShortcut(
  keys: string,
  description: string,
  run: (event: KeyboardEvent) => void,
  isActive = true,
): void {
  const onPress = useEffectEvent(run);
  useEffect(() => {
    if (!isActive) return;
    const shortcut: Shortcut = { keys, description, run: (event) => onPress(event) };
    change([...active, shortcut]);
    return () => change(active.filter((each) => each !== shortcut));
  }, [keys, description, isActive]);
}

export const useActiveShortcuts = (): readonly Shortcut[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => active,
  );

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** As a person reads it: ⌘K, Ctrl K. */
export const shownKeys = (keys: string): string[] =>
  keys.split('+').map((key) => {
    if (key === 'mod') return isMac ? '⌘' : 'Ctrl';
    if (key === 'shift') return isMac ? '⇧' : 'Shift';
    if (key === 'escape') return 'Esc';
    return key.length === 1 ? key.toUpperCase() : key;
  });

function pressed(event: KeyboardEvent): string {
  const key = event.key.toLowerCase();
  const mod = isMac ? event.metaKey : event.ctrlKey;
  // `?` is Shift+/ on one keyboard and a key of its own on another: the character counts, not the way to it.
  const shift = event.shiftKey && key.length === 1 && /[a-z0-9]/.test(key);
  return [mod && 'mod', shift && 'shift', key].filter(Boolean).join('+');
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Listens once for the whole page. */
export function listenForShortcuts(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.altKey || document.querySelector('dialog[open]')) return;
    const keys = pressed(event);
    if (isTyping(event.target) && !keys.startsWith('mod+') && keys !== 'escape') return;
    const shortcut = active.findLast((each) => each.keys === keys);
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run(event);
  };
  window.addEventListener('keydown', onKey);
  return () => window.removeEventListener('keydown', onKey);
}
