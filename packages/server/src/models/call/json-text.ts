/** The JSON of an answer: models like to put fences or a sentence around it. Undefined where there is none. */
export function jsonIn(text: string): unknown {
  const candidates = [text, /```(?:json)?\s*\n?([\s\S]*?)```/.exec(text)?.[1], betweenBraces(text)];
  for (const candidate of candidates) {
    const parsed = candidate === undefined ? undefined : tryParse(candidate.trim());
    if (parsed !== undefined) return parsed;
  }
  return undefined;
}

function betweenBraces(text: string): string | undefined {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  return from === -1 || to < from ? undefined : text.slice(from, to + 1);
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
