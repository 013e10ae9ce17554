/**
 * Streams the text of one top-level string field out of a JSON object that is still being written. It reads every
 * character once, whatever the pieces, and never hands out half of a surrogate pair.
 */
export interface FieldStream {
  push(text: string): void;
}

export interface FieldStreamOptions {
  field: string;
  /** Asked with the fields that are complete; text is held back until it says yes. */
  when?: ((partial: Record<string, unknown>) => boolean) | undefined;
  onText: (delta: string) => void;
}

/** What is being read: before the object, between members, a key, after a key, a value of some kind, or nothing more. */
type Mode = 'start' | 'member' | 'key' | 'colon' | 'value' | 'streamed' | 'string' | 'nested' | 'scalar' | 'over';

const QUOTE = 34;
const BACKSLASH = 92;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

export function fieldStream({ field, when, onText }: FieldStreamOptions): FieldStream {
  const partial: Record<string, unknown> = {};
  let mode: Mode = 'start';
  let key = '';
  /** The raw text of the key or value under way. */
  let raw = '';
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** The escape sequence under way in the streamed field, without its backslash; undefined: none. */
  let sequence: string | undefined;
  let held = '';
  let open = when === undefined;
  let seen = false;

  const emit = (text: string) => {
    held += text;
    if (!open || held === '') return;
    // The first half of a pair waits for the second.
    const last = held.charCodeAt(held.length - 1);
    const ready = last >= 0xd800 && last <= 0xdbff ? held.slice(0, -1) : held;
    held = held.slice(ready.length);
    if (ready !== '') onText(ready);
  };
  const flush = () => {
    if (open && held !== '') onText(held);
    if (open) held = '';
  };
  const complete = (value: unknown) => {
    partial[key] = value;
    mode = 'member';
    raw = '';
    if (!open && when?.(partial)) {
      open = true;
      flush();
    }
  };
  const completeRaw = () => {
    try {
      complete(JSON.parse(raw));
    } catch {
      mode = 'over';
    }
  };

  /** Takes a run of plain characters of a string in one slice; gives back where it ended. */
  const runEnd = (text: string, from: number): number => {
    let at = from;
    while (at < text.length && text.charCodeAt(at) !== QUOTE && text.charCodeAt(at) !== BACKSLASH) at += 1;
    return at;
  };

  const readStreamed = (text: string, from: number): number => {
    if (sequence !== undefined) {
      sequence += text[from];
      const isUnicode = sequence.startsWith('u');
      if (isUnicode && sequence.length < 5) return from + 1;
      const decoded = isUnicode ? unicode(sequence) : ESCAPES[sequence];
      sequence = undefined;
      if (decoded === undefined) mode = 'over';
      else {
        raw += decoded;
        emit(decoded);
      }
      return from + 1;
    }
    const end = runEnd(text, from);
    if (end > from) {
      const run = text.slice(from, end);
      raw += run;
      emit(run);
      return end;
    }
    if (text.charCodeAt(from) === BACKSLASH) sequence = '';
    else {
      const value = raw;
      if (open) flush();
      complete(value);
    }
    return from + 1;
  };

  /** Keys and strings that are not streamed: raw text up to the closing quote. */
  const readString = (text: string, from: number): number => {
    if (escaped) {
      raw += text[from];
      escaped = false;
      return from + 1;
    }
    const end = runEnd(text, from);
    raw += text.slice(from, Math.min(end + 1, text.length));
    if (end === text.length) return end;
    if (text.charCodeAt(end) === BACKSLASH) escaped = true;
    else if (mode === 'string') completeRaw();
    else endKey();
    return end + 1;
  };
  const endKey = () => {
    try {
      key = String(JSON.parse(raw));
      mode = 'colon';
    } catch {
      mode = 'over';
    }
    raw = '';
  };

  const readNested = (text: string, from: number): number => {
    let at = from;
    for (; at < text.length; at += 1) {
      const char = text[at];
      if (escaped) escaped = false;
      else if (inString) {
        if (char === '\\') escaped = true;
        else if (char === '"') inString = false;
      } else if (char === '"') inString = true;
      else if (char === '{' || char === '[') depth += 1;
      else if (char === '}' || char === ']') {
        depth -= 1;
        if (depth === 0) {
          raw += text.slice(from, at + 1);
          completeRaw();
          return at + 1;
        }
      }
    }
    raw += text.slice(from);
    return at;
  };

  const beginValue = (char: string, text: string, at: number): number => {
    if (/\s/.test(char)) return at + 1;
    if (char === '"') {
      // A second field of the same name would take back what was shown: the first is the one that streams.
      const streams = key === field && !seen;
      seen ||= streams;
      mode = streams ? 'streamed' : 'string';
      raw = streams ? '' : '"';
      return at + 1;
    }
    if (char === '{' || char === '[') {
      mode = 'nested';
      depth = 0;
      return readNested(text, at);
    }
    mode = 'scalar';
    raw = char;
    return at + 1;
  };

  const readScalar = (char: string, at: number): number => {
    if (char === ',' || char === '}' || /\s/.test(char)) {
      completeRaw();
      if (char === '}' && mode === 'member') mode = 'over';
    } else raw += char;
    return at + 1;
  };

  const step = (text: string, at: number): number => {
    const char = text[at] ?? '';
    switch (mode) {
      case 'start':
        // Fences and prose in front of the object are passed over.
        if (char === '{') mode = 'member';
        return at + 1;
      case 'member':
        if (char === '"') {
          mode = 'key';
          raw = '"';
        } else if (char === '}') mode = 'over';
        return at + 1;
      case 'key':
      case 'string':
        return readString(text, at);
      case 'colon':
        if (char === ':') mode = 'value';
        return at + 1;
      case 'value':
        return beginValue(char, text, at);
      case 'streamed':
        return readStreamed(text, at);
      case 'nested':
        return readNested(text, at);
      case 'scalar':
        return readScalar(char, at);
      case 'over':
        return text.length;
    }
  };

  return {
    push(text) {
      for (let at = 0; at < text.length; ) at = step(text, at);
    },
  };
}

function unicode(sequence: string): string | undefined {
  return /^u[0-9a-fA-F]{4}$/.test(sequence) ? String.fromCharCode(Number.parseInt(sequence.slice(1), 16)) : undefined;
}
