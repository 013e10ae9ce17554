import { Link } from '@tanstack/react-router';
import { classes } from '../../design/index.ts';
import { LOCALES, useLanguage, useWords } from '../../language/index.ts';
import type { ViewProps } from './calendar-page.tsx';
import { dayText } from './days.ts';
import { EventButton } from './event-button.tsx';
import { calendarWords } from './words.ts';

/** Seven days beside each other; on a narrow screen under each other. */
export function WeekView({ today, days, events, onOpen }: ViewProps) {
  const words = useWords(calendarWords);
  const locale = LOCALES[useLanguage()];
  const title = dayText(locale, { weekday: 'short', month: 'numeric', day: 'numeric' });
  return (
    <div className="grid wide:grid-cols-7">
      {days.map((day, index) => {
        const found = events.get(day) ?? [];
        return (
          <section
            key={day}
            aria-label={title(day)}
            className={classes(
              'min-w-0 border-line p-2 wide:min-h-80',
              index > 0 && 'border-t wide:border-s wide:border-t-0',
            )}
          >
            <Link
              to="/me/calendar"
              search={{ view: 'day', date: day }}
              className={classes(
                'mb-1 block text-sm hover:underline',
                day === today ? 'font-semibold text-accent' : 'text-soft',
              )}
            >
              {title(day)}
            </Link>
            <div className="grid gap-1">
              {found.map((event) => (
                <EventButton key={event.event_id} event={event} onOpen={onOpen} />
              ))}
            </div>
            {found.length === 0 && <p className="text-xs text-faint wide:hidden">{words.noEvents}</p>}
          </section>
        );
      })}
    </div>
  );
}
