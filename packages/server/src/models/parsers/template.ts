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
  // A null that stands in the template is meant; one that an expression gave is a value that is not there.
  const missing = (value: unknown, literal: Json) => literal !== null && (value === null || value === undefined);
  if (Array.isArray(template)) {
    const fillers = template.map((item, index) => [item, valueFiller(item, `${place}[${index}]`)] as const);
    return (data) => {
      const filled = fillers.map(([item, fill]) => [item, fill(data)] as const);
      return filled.filter(([item, value]) => !missing(value, item)).map(([, value]) => value);
    };
  }
  if (isJsonObject(template)) {
    const fillers = Object.entries(template).map(
      ([name, item]) => [name, item, valueFiller(item, `${place}.${name}`)] as const,
    );
    return (data) => {
      const filled = fillers.map(([name, item, fill]) => [name, item, fill(data)] as const);
      return Object.fromEntries(
        filled.filter(([, item, value]) => !missing(value, item)).map(([name, , value]) => [name, value]),
      );
    };
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
