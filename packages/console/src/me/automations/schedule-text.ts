import type { Automation } from '@kith/protocol';
import { LOCALES, useFormat, useLanguage, useWords } from '../../language/index.ts';
import { automationWords } from './words.ts';

export const PRESETS = {
  workdays: '0 9 * * 1-5',
  daily: '0 9 * * *',
  weekly: '0 9 * * 1',
  monthly: '0 9 1 * *',
  hourly: '0 * * * *',
} as const;
export type Preset = keyof typeof PRESETS;
export const PRESET_NAMES: readonly Preset[] = ['workdays', 'daily', 'weekly', 'monthly', 'hourly'];

export const SECONDS = { minutes: 60, hours: 3600, days: 86_400 } as const;
export type IntervalUnit = keyof typeof SECONDS;
export const INTERVAL_UNITS: readonly IntervalUnit[] = ['minutes', 'hours', 'days'];
const INTL_UNITS = { minutes: 'minute', hours: 'hour', days: 'day' } as const;

/** The largest unit that divides it. */
export function splitInterval(seconds: number): { amount: number; unit: IntervalUnit } {
  const unit = INTERVAL_UNITS.findLast((each) => seconds % SECONDS[each] === 0) ?? 'minutes';
  return { amount: seconds / SECONDS[unit], unit };
}

/** When something runs, as one says it. */
export function useScheduleText(): (automation: Pick<Automation, 'schedule'>) => string {
  const words = useWords(automationWords);
  const format = useFormat();
  const locale = LOCALES[useLanguage()];
  return ({ schedule }) => {
    switch (schedule.type) {
      case 'cron': {
        const preset = PRESET_NAMES.find((name) => PRESETS[name] === schedule.expression);
        return preset ? words.presets[preset] : schedule.expression;
      }
      case 'interval': {
        const { amount, unit } = splitInterval(schedule.seconds);
        const text = new Intl.NumberFormat(locale, { style: 'unit', unit: INTL_UNITS[unit], unitDisplay: 'long' });
        return words.everyShown(text.format(amount));
      }
      case 'once': {
        const isInstant = /Z$|[+-]\d{2}:?\d{2}$/.test(schedule.at);
        return words.onceShown(isInstant ? format.dateTime(schedule.at) : schedule.at.replace('T', ' '));
      }
    }
  };
}
