import { useSyncExternalStore } from 'react';

/** A value that this browser remembers, shared by all of its tabs. */
export interface Stored<T> {
  get(): T;
  set(value: T): void;
  subscribe(onChange: () => void): () => void;
}

/** `read` gets null when nothing is stored, and must forgive whatever else it gets; `write` gives null to store nothing. */
export function stored<T>(
  key: string,
  read: (text: string | null) => T,
  write: (value: T) => string | null,
): Stored<T> {
  const listeners = new Set<() => void>();
  let value = read(readText(key));
  const tell = () => {
    for (const listener of listeners) listener();
  };
  window.addEventListener('storage', (event) => {
    if (event.key !== key) return;
    value = read(event.newValue);
    tell();
  });
  return {
    get: () => value,
    set(next) {
      value = next;
      writeText(key, write(next));
      tell();
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}

export function useStored<T>(store: Stored<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

// A browser may refuse storage altogether: the value then lives as long as the page.
function readText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function writeText(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // See above.
  }
}
