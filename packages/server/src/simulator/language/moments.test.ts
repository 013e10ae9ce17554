import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { readMoment } from './moments.ts';

/** Monday the 16th of November 2026, ten in the morning. */
const now = Temporal.ZonedDateTime.from('2026-11-16T10:00:00+08:00[Asia/Shanghai]');

function read(text: string): string {
  const { day, lastDay, range, time, until, minutes, allDay, recurrence } = readMoment(text, now);
  const parts = [
    day && `${day}${lastDay ? `~${lastDay}` : ''}`,
    range && `${range.start}..${range.end}`,
    time &&
      `${time.toString({ smallestUnit: 'minute' })}${until ? `-${until.toString({ smallestUnit: 'minute' })}` : ''}`,
    minutes && `${minutes}min`,
    allDay && 'all day',
    recurrence,
  ];
  return parts.filter(Boolean).join(' ');
}

describe('what people say about time', () => {
  test.each([
    ['今天', '2026-11-16'],
    ['明天下午三点', '2026-11-17 15:00'],
    ['后天上午九点半', '2026-11-18 09:30'],
    ['大后天', '2026-11-19'],
    ['下周', '2026-11-23..2026-11-30'],
    ['本周', '2026-11-16..2026-11-23'],
    ['下周五', '2026-11-27'],
    ['这周五', '2026-11-20'],
    ['周五下午两点', '2026-11-20 14:00'],
    ['星期天', '2026-11-22'],
    ['周末', '2026-11-21..2026-11-23'],
    ['下个月', '2026-12-01..2027-01-01'],
    ['11月20日', '2026-11-20'],
    ['十一月二十号晚上八点', '2026-11-20 20:00'],
    ['2027年1月5日', '2027-01-05'],
    ['3月1日', '2027-03-01'],
    ['20号', '2026-11-20'],
    ['三天后', '2026-11-19'],
    ['未来三天', '2026-11-16..2026-11-19'],
    ['今晚八点', '2026-11-16 20:00'],
    ['明早九点', '2026-11-17 09:00'],
    ['明天三点', '2026-11-17 15:00'],
    ['明天十点', '2026-11-17 10:00'],
    ['明天中午', '2026-11-17 12:00'],
    ['中午十二点', '12:00'],
    ['下午三点一刻', '15:15'],
    ['下午3点20分', '15:20'],
    ['下午两点到四点', '14:00-16:00'],
    ['15:30', '15:30'],
    ['14:00-15:30', '14:00-15:30'],
    ['明天下午三点一小时', '2026-11-17 15:00 60min'],
    ['一个半小时', '90min'],
    ['半小时', '30min'],
    ['45分钟', '45min'],
    ['两小时后', '2026-11-16 12:00'],
    ['每周一上午九点', '2026-11-16 09:00 FREQ=WEEKLY;BYDAY=MO'],
    ['每天', 'FREQ=DAILY'],
    ['每个工作日', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ['明天全天', '2026-11-17 all day'],
    ['查一下下周五', '2026-11-27'],
    ['查一下周五', '2026-11-20'],
    ['看一下下下周', '2026-11-30..2026-12-07'],
    ['下周三到下周五', '2026-11-25~2026-11-27'],
    ['下周三到周五', '2026-11-25~2026-11-27'],
    ['明天到周五', '2026-11-17~2026-11-20'],
    ['从11月20日至22日', '2026-11-20~2026-11-22'],
    ['周五下午两点到四点', '2026-11-20 14:00-16:00'],
    ['每周一三五上午九点', '2026-11-16 09:00 FREQ=WEEKLY;BYDAY=MO,WE,FR'],
    ['每周二和周四', '2026-11-17 FREQ=WEEKLY;BYDAY=TU,TH'],
    ['每周一三点', '2026-11-16 15:00 FREQ=WEEKLY;BYDAY=MO'],
    ['每两周的周五', '2026-11-20 FREQ=WEEKLY;INTERVAL=2;BYDAY=FR'],
    ['本周日程', '2026-11-16..2026-11-23'],
    ['本周日', '2026-11-22'],
    ['明天下五三点', '2026-11-17 15:00'],
  ])('%s', (text, expected) => expect(read(text)).toBe(expected));

  test.each([
    ['today', '2026-11-16'],
    ['tomorrow at 3 pm', '2026-11-17 15:00'],
    ['the day after tomorrow', '2026-11-18'],
    ['next week', '2026-11-23..2026-11-30'],
    ['this week', '2026-11-16..2026-11-23'],
    ['on Friday at noon', '2026-11-20 12:00'],
    ['this Friday', '2026-11-20'],
    ['next Friday', '2026-11-27'],
    ['Monday', '2026-11-16'],
    ['this weekend', '2026-11-21..2026-11-23'],
    ['November 20', '2026-11-20'],
    ['Nov 20th, 2026 at 15:00', '2026-11-20 15:00'],
    ['20 November', '2026-11-20'],
    ['the 20th', '2026-11-20'],
    ['2026-12-24', '2026-12-24'],
    ['2026-12-24T09:30', '2026-12-24 09:30'],
    ['in 3 days', '2026-11-19'],
    ['the next 10 days', '2026-11-16..2026-11-26'],
    ['at 3', '15:00'],
    ['at 9', '09:00'],
    ['3:30pm', '15:30'],
    ['from 2 to 4 pm', '14:00-16:00'],
    ['10am-11:30am', '10:00-11:30'],
    ['11 am to 1 pm', '11:00-13:00'],
    ['half past two', '14:30'],
    ['tomorrow morning at 9', '2026-11-17 09:00'],
    ['at 8 in the evening', '20:00'],
    ['tonight at 8', '2026-11-16 20:00'],
    ['for 90 minutes', '90min'],
    ['for an hour', '60min'],
    ['an hour and a half', '90min'],
    ['in 2 hours', '2026-11-16 12:00'],
    ['every Monday at 9 am', '2026-11-16 09:00 FREQ=WEEKLY;BYDAY=MO'],
    ['every weekday', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ['all day tomorrow', '2026-11-17 all day'],
    ['next weekend', '2026-11-28..2026-11-30'],
    ['from Dec 21 to Dec 25', '2026-12-21~2026-12-25'],
    ['Dec 21-25', '2026-12-21~2026-12-25'],
    ['Monday to Wednesday', '2026-11-16~2026-11-18'],
    ['Friday 2 to 4 pm', '2026-11-20 14:00-16:00'],
    ['2026-12-24 to 2026-12-26', '2026-12-24~2026-12-26'],
    ['from 10 to 11:30', '10:00-11:30'],
    ['on Tuesdays at 4pm', '2026-11-17 16:00 FREQ=WEEKLY;BYDAY=TU'],
    ['every Monday and Wednesday', '2026-11-16 FREQ=WEEKLY;BYDAY=MO,WE'],
    ['every other Friday', '2026-11-20 FREQ=WEEKLY;INTERVAL=2;BYDAY=FR'],
  ])('%s', (text, expected) => expect(read(text)).toBe(expected));

  test('the rest of the sentence is kept', () => {
    expect(readMoment('明天下午三点和李雷开会一小时', now).rest).toBe('和李雷开会');
    expect(readMoment('lunch with Li Lei on Friday at noon', now).rest).toBe('lunch with Li Lei');
  });

  test('impossible dates and hours are not times', () => {
    expect(read('2月31日')).toBe('');
    expect(read('88点')).toBe('');
  });
});
