import { expect, test } from 'vitest';
import { suggestedActionsOf } from './suggested-actions.ts';

test.each([
  ['as asked for', { title: '看看', message: '看看周五的日程' }, { title: '看看', message: '看看周五的日程' }],
  ['a sentence', ' 看看周五的日程 ', { title: '看看周五的日程', message: '看看周五的日程' }],
  ['under other names', { label: 'Look', prompt: 'Look at Friday' }, { title: 'Look', message: 'Look at Friday' }],
  ['without a message', { title: 'Look' }, { title: 'Look', message: 'Look' }],
  ['without a title', { message: 'Look' }, { title: 'Look', message: 'Look' }],
])('a next step is understood %s', (_how, offered, understood) => {
  expect(suggestedActionsOf([offered])).toEqual([understood]);
});

test('what is no step is left out, and the others stay', () => {
  expect(suggestedActionsOf([null, 7, '', {}, { title: 3 }, ['x'], 'Look'])).toEqual([
    { title: 'Look', message: 'Look' },
  ]);
  for (const nothing of [undefined, null, 'Look', { title: 'Look' }]) expect(suggestedActionsOf(nothing)).toEqual([]);
});

test('at most three are offered', () => {
  expect(suggestedActionsOf(['a', 'b', 'c', 'd'])).toHaveLength(3);
});
