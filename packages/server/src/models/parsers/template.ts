import type { Json, RequestTemplate } from '@kith/protocol';
import { isJsonObject } from '../json.ts';
import { compileExpression } from './expression.ts';

/** A request as it goes out, but for the base URL. */
export interface FilledRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}
export type CompiledTemplate = (request: Record<string, unknown>, secret: string | undefined) => FilledRequest;

type Filler = (data: unknown) => unknown;

/** Compiles the expressions of a template once; filling it in is then plain evaluation. */
export function compileTemplate(template: RequestTemplate, place: string): CompiledTemplate {
  const path = textFiller(template.path, `${place}.path`, encodeURIComponent);
  const headers = Object.entries(template.headers).map(
    ([name, text]) => [name.toLowerCase(), textFiller(text, `${place}.headers.${name}`, String)] as const,
  );
  const body = template.body === undefined ? undefined : valueFiller(template.body, `${place}.body`);
  const namesKey = Object.values(template.headers).some((text) => /\{\{\s*key\s*\}\}/.test(text));
  return (request, secret) => {
    const filled = headers.map(([name, fill]) => [name, String(fill({ ...request, key: secret ?? '' }))] as const);
    return {
      method: template.method,
      path: String(path(request)),
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(secret !== undefined && !namesKey ? { authorization: `Bearer ${secret}` } : {}),
        ...Object.fromEntries(filled),
      },
      body: body ? JSON.stringify(body(request) ?? {}) : undefined,
    };
  };
}

const ALONE = /^\s*\{\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}\}\s*$/;
const WITHIN = /\{\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}\}/g;

function valueFiller(template: Json, place: string): Filler {
  if (typeof template === 'string') {
    const alone = ALONE.exec(template)?.[1];
    return alone === undefined ? textFiller(template, place, String) : compileExpression(alone, place);
  }
  if (Array.isArray(template)) {
    const fillers = template.map((item, index) => valueFiller(item, `${place}[${index}]`));
    return (data) => fillers.map((fill) => fill(data)).filter((value) => value !== null && value !== undefined);
  }
  if (isJsonObject(template)) {
    const fillers = Object.entries(template).map(
      ([name, value]) => [name, value === null ? () => null : valueFiller(value, `${place}.${name}`), value] as const,
    );
    return (data) =>
      Object.fromEntries(
        fillers
          .map(([name, fill, literal]) => [name, fill(data), literal] as const)
          // A null that stands in the template is meant; one that an expression gave is a value that is not there.
          .filter(([, value, literal]) => literal === null || (value !== null && value !== undefined)),
      );
  }
  return () => template;
}

function textFiller(template: string, place: string, escapeText: (text: string) => string): Filler {
  const parts: (string | Filler)[] = [];
  let from = 0;
  for (const match of template.matchAll(WITHIN)) {
    parts.push(template.slice(from, match.index), compileExpression(match[1] ?? '', place));
    from = match.index + match[0].length;
  }
  parts.push(template.slice(from));
  return (data) => parts.map((part) => (typeof part === 'string' ? part : escapeText(textOf(part(data))))).join('');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
