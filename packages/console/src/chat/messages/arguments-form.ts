import type { Json, JsonObject } from '@kith/protocol';

/** A form made from a call's arguments: text stays text, figures and switches what they are, anything deeper is JSON. */
export type ArgumentField =
  | { kind: 'text'; name: string; text: string; isLong: boolean }
  | { kind: 'number'; name: string; text: string }
  | { kind: 'boolean'; name: string; checked: boolean }
  | { kind: 'json'; name: string; text: string };

export function fieldsOf(input: JsonObject): ArgumentField[] {
  return Object.entries(input).map(([name, value]) => {
    if (typeof value === 'string')
      return { kind: 'text', name, text: value, isLong: value.length > 60 || value.includes('\n') };
    if (typeof value === 'number') return { kind: 'number', name, text: String(value) };
    if (typeof value === 'boolean') return { kind: 'boolean', name, checked: value };
    return { kind: 'json', name, text: JSON.stringify(value, null, 2) };
  });
}

export type FieldProblem = 'notJson' | 'notNumber';

export function problemOf(field: ArgumentField): FieldProblem | undefined {
  if (field.kind === 'number' && !isNumber(field.text)) return 'notNumber';
  if (field.kind === 'json' && readJson(field.text) === undefined) return 'notJson';
  return undefined;
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

function readJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The arguments as the form has them now; undefined while something in it cannot be read. */
export function argumentsOf(fields: readonly ArgumentField[]): JsonObject | undefined {
  if (fields.some((field) => problemOf(field))) return undefined;
  return Object.fromEntries(fields.map((field) => [field.name, readField(field)]));
}

function readField(field: ArgumentField): Json {
  switch (field.kind) {
    case 'text':
      return field.text;
    case 'number':
      return Number(field.text);
    case 'boolean':
      return field.checked;
    case 'json':
      return readJson(field.text) ?? null;
  }
}

/** What a decision may replace: the `input` of a skill's call, or all arguments of a tool that has no such form. */
export function inputOf(args: JsonObject): JsonObject {
  const { module, method, input } = args;
  const isSkillCall = typeof module === 'string' && typeof method === 'string';
  if (!isSkillCall) return args;
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {};
}
