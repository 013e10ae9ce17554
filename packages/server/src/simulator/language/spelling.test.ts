import { expect, test } from 'vitest';
import { respelled } from './spelling.ts';

test.each([
  ['shedule a meting with Tom tomorow', 'schedule a meeting with Tom tomorrow'],
  ["what's on my calender", "what's on my calendar"],
  ['remeber that I like tea', 'remember that I like tea'],
  ['on Wendesday', 'on wednesday'],
  ['看看明天的按排', '看看明天的安排'],
])('%s is mended', (text, expected) => expect(respelled(text)).toBe(expected));

test.each(['scheduled meetings', 'the melting ice', 'a contract for Meimei', 'remembered', '日程安排和会议'])(
  '%s is left alone',
  (text) => expect(respelled(text)).toBe(text),
);
