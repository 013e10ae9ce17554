import { useState } from 'react';

const keyOf = (thread: string) => `kith.draft.${thread}`;

function readDraft(thread: string): string {
  try {
    return sessionStorage.getItem(keyOf(thread)) ?? '';
  } catch {
    return '';
  }
}

function keepDraft(thread: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(keyOf(thread), text);
    else sessionStorage.removeItem(keyOf(thread));
  } catch {
    // Without storage a draft lives as long as its page.
  }
}

/** What is being written: still there after a look at another thread, or a reload. */
export function useDraft(thread: string): [string, (text: string) => void] {
  const [draft, setDraft] = useState(() => ({ thread, text: readDraft(thread) }));
  const current = draft.thread === thread ? draft : { thread, text: readDraft(thread) };
  if (current !== draft) setDraft(current);
  return [
    current.text,
    (text) => {
      keepDraft(thread, text);
      setDraft({ thread, text });
    },
  ];
}
