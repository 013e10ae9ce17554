import { expect, test } from 'vitest';
import { argumentsOf, fieldsOf, inputOf, problemOf } from './arguments-form.ts';

const input = { title: '周会', limit: 3, all_day: false, participants: [{ contact_id: 'c1' }], note: null };

test('a form made from arguments and not touched gives the same arguments back', () => {
  expect(argumentsOf(fieldsOf(input))).toEqual(input);
});

test('text, figures and switches are fields of their own kind; what is deeper is JSON', () => {
  expect(fieldsOf(input).map(({ kind }) => kind)).toEqual(['text', 'number', 'boolean', 'json', 'json']);
});

test('a field that cannot be read says so, and there are no arguments until it can', () => {
  const broken = fieldsOf(input).map((field) => (field.kind === 'json' ? { ...field, text: '[' } : field));
  expect(broken.map(problemOf)).toEqual([undefined, undefined, undefined, 'notJson', 'notJson']);
  expect(argumentsOf(broken)).toBeUndefined();
  expect(problemOf({ kind: 'number', name: 'limit', text: 'three' })).toBe('notNumber');
});

test('only the input of a skill’s call is edited; another tool’s arguments are all its input', () => {
  expect(inputOf({ module: 'calendar', method: 'create', input })).toEqual(input);
  expect(inputOf({ city: '杭州' })).toEqual({ city: '杭州' });
});
