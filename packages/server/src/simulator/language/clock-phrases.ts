import { Temporal } from 'temporal-polyfill';
import type { Moment, TimePhrase } from './moments.ts';
import { ENGLISH_NUMBER, readNumber } from './numbers.ts';

type Period = 'morning' | 'noon' | 'afternoon';

const PERIODS: Readonly<Record<string, Period>> = {
  凌晨: 'morning',
  清晨: 'morning',
  早上: 'morning',
  早晨: 'morning',
  上午: 'morning',
  中午: 'noon',
  下午: 'afternoon',
  傍晚: 'afternoon',
  晚上: 'afternoon',
  晚: 'afternoon',
  am: 'morning',
  pm: 'afternoon',
  morning: 'morning',
  afternoon: 'afternoon',
  evening: 'afternoon',
};

function period(word: string | undefined): Period | undefined {
  return PERIODS[(word ?? '').toLowerCase().replaceAll('.', '')];
}

/** An hour without morning or afternoon is one of the working day: 3 is 15:00, 9 is 09:00. */
function clock(hour: number, minute: number, when: Period | undefined, exact = false): Temporal.PlainTime | undefined {
  if (!(hour >= 0 && hour <= 24) || !(minute >= 0 && minute <= 59)) return undefined;
  const afternoon =
    when === 'afternoon' || (when === 'noon' && hour < 6) || (!when && !exact && hour >= 1 && hour <= 7);
  if (when === 'morning' && hour === 12) return Temporal.PlainTime.from({ hour: 0, minute });
  return Temporal.PlainTime.from({ hour: (afternoon && hour < 12 ? hour + 12 : hour) % 24, minute });
}

const CHINESE_PERIOD = '(?:(凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|晚)\\s*)?';
const CHINESE_HOUR = '(\\d{1,2}|[零一二两三四五六七八九十]{1,3})';
const CHINESE_MINUTE =
  '(?:(半)|([一三]刻)|(\\d{1,2}|[二三四五]?十[一二三四五六七八九]?|零[一二三四五六七八九])分?|([五])分)?';
/** Groups: period, hour, half, quarters, minutes, minutes. */
const CHINESE_CLOCK = `${CHINESE_PERIOD}${CHINESE_HOUR}\\s*(?:点钟?|时(?!间))${CHINESE_MINUTE}`;

function chineseClock(groups: readonly (string | undefined)[], inherited?: Period): Temporal.PlainTime | undefined {
  const [when, hour, half, quarters, minutes, five] = groups;
  const minute = half ? 30 : quarters ? (quarters.startsWith('一') ? 15 : 45) : readNumber(minutes ?? five ?? '零');
  return clock(readNumber(hour ?? ''), minute, period(when) ?? inherited);
}

function span(time: Temporal.PlainTime | undefined, until: Temporal.PlainTime | undefined): Moment | undefined {
  if (!time || !until) return undefined;
  const late = Temporal.PlainTime.compare(until, time) <= 0 && until.hour < 12;
  return { time, until: late ? until.add({ hours: 12 }) : until };
}

const at = (time: Temporal.PlainTime | undefined): Moment | undefined => time && { time };

const HOUR = `(${ENGLISH_NUMBER})`;
const MERIDIEM = '(a\\.?m\\b\\.?|p\\.?m\\b\\.?)';
const IN_THE = '(?:(?:\\bin the |\\bthis )?\\b(morning|afternoon|evening)\\b[ ,]*)';

/** Times of the day. The longest forms come first. */
export const CLOCK_PHRASES: readonly TimePhrase[] = [
  {
    pattern: new RegExp(`从?${CHINESE_CLOCK}\\s*(?:到|至|-|~|—|–)\\s*${CHINESE_CLOCK}`),
    read: (match) => span(chineseClock(match.slice(1, 7)), chineseClock(match.slice(7, 13), period(match[1]))),
  },
  {
    pattern: new RegExp(
      `(?:\\b(?:from|between|at) )?\\b${HOUR}(?::(\\d{2}))? ?${MERIDIEM}? ?(?:-|–|to|until|till|and) ?${HOUR}(?::(\\d{2}))? ?${MERIDIEM}`,
      'i',
    ),
    read: (match) =>
      span(
        clock(readNumber(match[1] ?? ''), Number(match[2] ?? 0), period(match[3] ?? match[6])),
        clock(readNumber(match[4] ?? ''), Number(match[5] ?? 0), period(match[6])),
      ),
  },
  {
    pattern: new RegExp(
      `\\b(?:from|between) ${HOUR}(?::(\\d{2}))? (?:-|–|to|until|till|and) ${HOUR}(?::(\\d{2}))?\\b(?! days?\\b)`,
      'i',
    ),
    read: (match) =>
      span(
        clock(readNumber(match[1] ?? ''), Number(match[2] ?? 0), undefined),
        clock(readNumber(match[3] ?? ''), Number(match[4] ?? 0), undefined),
      ),
  },
  {
    pattern: new RegExp(`${CHINESE_PERIOD}(\\d{1,2}):(\\d{2}) ?(?:-|~|—|–|到|至|\\bto\\b) ?(\\d{1,2}):(\\d{2})`),
    read: (match) =>
      span(
        clock(Number(match[2]), Number(match[3]), period(match[1]), true),
        clock(Number(match[4]), Number(match[5]), period(match[1]), true),
      ),
  },
  { pattern: new RegExp(CHINESE_CLOCK), read: (match) => at(chineseClock(match.slice(1, 7))) },
  {
    pattern: new RegExp(`(?:\\bat |\\bto )?\\b${HOUR}(?::(\\d{2}))? ?${MERIDIEM}`, 'i'),
    read: (match) => at(clock(readNumber(match[1] ?? ''), Number(match[2] ?? 0), period(match[3]))),
  },
  {
    pattern: new RegExp(
      `${CHINESE_PERIOD}(?:\\bat )?(\\d{1,2}):(\\d{2})(?::\\d{2})?(?: in the (morning|afternoon|evening))?`,
    ),
    read: (match) => at(clock(Number(match[2]), Number(match[3]), period(match[1] ?? match[4]), true)),
  },
  {
    pattern: new RegExp(`(?:\\bat )?\\bhalf past ${HOUR}\\b`, 'i'),
    read: (match) => at(clock(readNumber(match[1] ?? ''), 30, undefined)),
  },
  {
    pattern: new RegExp(`${IN_THE}(?:at )?${HOUR}\\b`, 'i'),
    read: (match) => at(clock(readNumber(match[2] ?? ''), 0, period(match[1]))),
  },
  {
    pattern: new RegExp(`(?:\\bat )?\\b${HOUR}(?: o['’]clock)? in the (morning|afternoon|evening)\\b`, 'i'),
    read: (match) => at(clock(readNumber(match[1] ?? ''), 0, period(match[2]))),
  },
  {
    pattern: new RegExp(`(?:\\bat ${HOUR}(?: o['’]clock)?|\\b${HOUR} o['’]clock)\\b`, 'i'),
    read: (match) => at(clock(readNumber(match[1] ?? match[2] ?? ''), 0, undefined)),
  },
  { pattern: /(?:\bat )?\b(?:noon|midday)\b|中午|正午/i, read: () => at(clock(12, 0, 'noon')) },
  { pattern: /(?:\bat )?\bmidnight\b|午夜|半夜/i, read: () => at(clock(0, 0, 'morning')) },
];
