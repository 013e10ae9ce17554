export interface FieldStreamOptions {
  field: string;
  /** Asked with the fields that are complete; text is held back until it says yes. */
  when?: ((partial: Readonly<Record<string, unknown>>) => boolean) | undefined;
  onText: (delta: string) => void;
}

/**
 * Streams the text of one top-level string field out of a JSON object that is still being written. It reads every
 * character once, whatever the pieces, and never hands out half of a surrogate pair.
 */
export function fieldStream(options: FieldStreamOptions): { push(text: string): void } {
  const gate = new Gate(options);
  const scanner = new ObjectScanner(options.field, gate);
  return {
    push: (text) => {
      for (let at = 0; at < text.length; ) at = scanner.step(text, at);
    },
  };
}

/** Between the text that was found and the one who wants it: holds it back while it may not, or not yet, be shown. */
class Gate {
  readonly #partial: Record<string, unknown> = Object.create(null);
  readonly #options: FieldStreamOptions;
  #open: boolean;
  #held = '';

  constructor(options: FieldStreamOptions) {
    this.#options = options;
    this.#open = options.when === undefined;
  }

  text(text: string): void {
    this.#held += text;
    if (!this.#open) return;
    // The first half of a pair waits for the second.
    const last = this.#held.charCodeAt(this.#held.length - 1);
    const isHalf = last >= 0xd800 && last <= 0xdbff;
    this.#show(isHalf ? this.#held.length - 1 : this.#held.length);
  }

  /** A field is complete: its value may be what the condition waits for. */
  complete(key: string, value: unknown): void {
    this.#partial[key] = value;
    if (!this.#open && this.#options.when?.(this.#partial)) this.#open = true;
    if (this.#open) this.#show(this.#held.length);
  }

  #show(length: number): void {
    if (length === 0) return;
    const ready = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    this.#options.onText(ready);
  }
}

/** Before the object; between its members; in or after a key; before or in a value; behind the end or lost. */
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

class ObjectScanner {
  readonly #field: string;
  readonly #gate: Gate;
  #mode: Mode = 'start';
  #key = '';
  /** Of the key or value under way: its source, or for the streamed field its text. */
  #raw = '';
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The escape sequence under way in the streamed field, without its backslash; undefined: none. */
  #sequence: string | undefined;
  #seen = false;

  constructor(field: string, gate: Gate) {
    this.#field = field;
    this.#gate = gate;
  }

  /** Reads on from `at`; gives back where it stopped. */
  step(text: string, at: number): number {
    const char = text[at] ?? '';
    switch (this.#mode) {
      case 'start':
        // Fences and prose in front of the object are passed over.
        if (char === '{') this.#mode = 'member';
        return at + 1;
      case 'member':
        if (char === '"') this.#begin('key', '"');
        else if (char === '}') this.#mode = 'over';
        return at + 1;
      case 'colon':
        if (char === ':') this.#mode = 'value';
        return at + 1;
      case 'value':
        return this.#beginValue(char, at);
      case 'key':
      case 'string':
        return this.#readString(text, at);
      case 'streamed':
        return this.#sequence === undefined ? this.#readStreamed(text, at) : this.#readEscape(char, at);
      case 'nested':
        return this.#readNested(text, at);
      case 'scalar':
        return this.#readScalar(char, at);
      case 'over':
        return text.length;
    }
  }

  #begin(mode: Mode, raw: string): void {
    this.#mode = mode;
    this.#raw = raw;
  }

  #beginValue(char: string, at: number): number {
    if (/\s/.test(char)) return at + 1;
    if (char === '{' || char === '[') {
      this.#begin('nested', '');
      this.#depth = 0;
      return at;
    }
    if (char !== '"') this.#begin('scalar', char);
    // A second field of the same name would take back what was shown: the first is the one that streams.
    else if (this.#key === this.#field && !this.#seen) {
      this.#seen = true;
      this.#begin('streamed', '');
    } else this.#begin('string', '"');
    return at + 1;
  }

  #readStreamed(text: string, from: number): number {
    const end = plainRun(text, from);
    if (end > from) {
      this.#found(text.slice(from, end));
      return end;
    }
    if (text.charCodeAt(from) === BACKSLASH) this.#sequence = '';
    else this.#complete(this.#raw);
    return from + 1;
  }

  #readEscape(char: string, at: number): number {
    const sequence = (this.#sequence ?? '') + char;
    const isUnicode = sequence.startsWith('u');
    if (isUnicode && sequence.length < 5) {
      this.#sequence = sequence;
      return at + 1;
    }
    this.#sequence = undefined;
    const decoded = isUnicode ? codeUnit(sequence) : ESCAPES[sequence];
    if (decoded === undefined) this.#mode = 'over';
    else this.#found(decoded);
    return at + 1;
  }

  #found(text: string): void {
    this.#raw += text;
    this.#gate.text(text);
  }

  /** Keys, and strings that are not streamed: their source, up to the closing quote. */
  #readString(text: string, from: number): number {
    if (this.#escaped) {
      this.#raw += text[from];
      this.#escaped = false;
      return from + 1;
    }
    const end = plainRun(text, from);
    this.#raw += text.slice(from, end + 1);
    if (end === text.length) return end;
    if (text.charCodeAt(end) === BACKSLASH) this.#escaped = true;
    else if (this.#mode === 'string') this.#completeSource();
    else this.#endKey();
    return end + 1;
  }

  #endKey(): void {
    const key = parsed(this.#raw);
    this.#key = String(key?.value);
    this.#mode = key ? 'colon' : 'over';
  }

  /** An object or a list: its source, up to the bracket that closes it. */
  #readNested(text: string, from: number): number {
    for (let at = from; at < text.length; at += 1) {
      if (this.#closesNested(text[at] ?? '')) {
        this.#raw += text.slice(from, at + 1);
        this.#completeSource();
        return at + 1;
      }
    }
    this.#raw += text.slice(from);
    return text.length;
  }

  #closesNested(char: string): boolean {
    if (this.#escaped) this.#escaped = false;
    else if (this.#inString) {
      if (char === '\\') this.#escaped = true;
      else if (char === '"') this.#inString = false;
    } else if (char === '"') this.#inString = true;
    else if (char === '{' || char === '[') this.#depth += 1;
    else if (char === '}' || char === ']') this.#depth -= 1;
    return this.#depth === 0;
  }

  #readScalar(char: string, at: number): number {
    if (char !== ',' && char !== '}' && !/\s/.test(char)) {
      this.#raw += char;
      return at + 1;
    }
    this.#completeSource();
    // Whatever ended it is looked at again, as what stands between members.
    return at;
  }

  #completeSource(): void {
    const source = parsed(this.#raw);
    if (source) this.#complete(source.value);
    else this.#mode = 'over';
  }

  #complete(value: unknown): void {
    this.#begin('member', '');
    this.#gate.complete(this.#key, value);
  }
}

/** Where a run of characters that mean themselves ends. */
function plainRun(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== QUOTE && text.charCodeAt(at) !== BACKSLASH) at += 1;
  return at;
}

function codeUnit(sequence: string): string | undefined {
  return /^u[0-9a-fA-F]{4}$/.test(sequence) ? String.fromCharCode(Number.parseInt(sequence.slice(1), 16)) : undefined;
}

function parsed(source: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(source) };
  } catch {
    return undefined;
  }
}
