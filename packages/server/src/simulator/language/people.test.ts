import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { peopleIn, resolvePronouns } from './people.ts';

const now = Temporal.ZonedDateTime.from('2026-11-16T10:00:00+08:00[Asia/Shanghai]');

describe('the people a sentence names', () => {
  test.each([
    ['明天下午三点和李雷开会一小时', ['李雷']],
    ['周五中午跟韩梅梅吃饭', ['韩梅梅']],
    ['和李雷、韩梅梅讨论方案', ['李雷', '韩梅梅']],
    ['李雷的联系方式', ['李雷']],
    ['查一下李雷的电话', ['李雷']],
    ['邀请王小明参加明天的会', ['王小明']],
    ['和 Tom 开会', ['Tom']],
    ['明天和客户开会', []],
    ['周五的日程', []],
    ['schedule lunch with Li Lei on Friday at noon', ['Li Lei']],
    ['a meeting with Li Lei and Han Meimei tomorrow', ['Li Lei', 'Han Meimei']],
    ['move my 3 pm with Li Lei to Friday', ['Li Lei']],
    ["find Li Lei's contact", ['Li Lei']],
    ['tell li lei', ['li lei']],
    ['lunch with 李雷 tomorrow', ['李雷']],
    ['tell him', []],
    ["What's Li Lei's email?", ['Li Lei']],
    ['明天上午十点和Amy开会讨论预算', ['Amy']],
    ["lunch with Tom at Joe's Pizza", ['Tom']],
    ['Invite Han Meimei to Team lunch', ['Han Meimei']],
    ['add Tom to the meeting', ['Tom']],
    ['add Lunch to my calendar', []],
    ['a trip to Tokyo', []],
    ['schedule a meeting with my team on Monday', []],
  ])('%s', (text, expected) => expect(peopleIn(text, now)).toEqual(expected));

  test('a pronoun is the person last named', () => {
    expect(resolvePronouns('安排周五下午两点和他开会', '李雷')).toBe('安排周五下午两点和李雷开会');
    expect(resolvePronouns('tell him', 'Li Lei')).toBe('tell Li Lei');
    expect(resolvePronouns('其他人', '李雷')).toBe('其他人');
  });
});
