import type { Temporal } from 'temporal-polyfill';

/** Days of the week count from Monday, 1, to Sunday, 7, as in ISO 8601. */
const ENGLISH_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

export const ENGLISH_WEEKDAY =
  'mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs?|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?';

export function readWeekday(text: string): number {
  const chinese = '一二三四五六日'.indexOf(text === '天' ? '日' : text);
  return 1 + (chinese >= 0 ? chinese : ENGLISH_DAYS.indexOf(text.slice(0, 3).toLowerCase()));
}

/** The next such day, today included. */
export function upcoming(weekday: number, today: Temporal.PlainDate): Temporal.PlainDate {
  return today.add({ days: (weekday - today.dayOfWeek + 7) % 7 });
}

export function mondayOf(day: Temporal.PlainDate): Temporal.PlainDate {
  return day.subtract({ days: day.dayOfWeek - 1 });
}
