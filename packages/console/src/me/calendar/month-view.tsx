import { Link } from '@tanstack/react-router';
import { classes } from '../../design/index.ts';
import { LOCALES, useLanguage, useWords } from '../../language/index.ts';
import type { ViewProps } from './calendar-page.tsx';
import { dayText } from './days.ts';
import { EventButton } from './event-button.tsx';
import { calendarWords } from './words.ts';

const SHOWN = 3;

/** On a narrow screen a day shows how much there is, and opens; on a wide one, what. */
export function MonthView({ day, today, days, events, onOpen }: ViewProps) {
  const words = useWords(calendarWords);
  const locale = LOCALES[useLanguage()];
  const weekday = dayText(locale, { weekday: 'short' });
  const full = dayText(locale, { month: 'long', day: 'numeric' });
  return (
    <div className="grid grid-cols-7">
      {days.slice(0, 7).map((each) => (
        <p key={each} className="border-b border-line py-1.5 text-center text-sm text-faint">
          {weekday(each)}
        </p>
      ))}
      {days.map((each, index) => {
        const found = events.get(each) ?? [];
        const isOther = each.slice(0, 7) !== day.slice(0, 7);
        return (
          <div
            key={each}
            className={classes(
              'flex min-h-16 min-w-0 flex-col gap-0.5 border-line p-1 sm:min-h-26',
              index % 7 > 0 && 'border-s',
              index >= 7 && 'border-t',
              isOther && 'bg-sunken',
            )}
          >
            <Link
              to="/me/calendar"
              search={{ view: 'day', date: each }}
              aria-label={`${full(each)}, ${words.count(found.length)}`}
              aria-current={each === today ? 'date' : undefined}
              className={classes(
                'grid size-7 place-items-center self-center rounded-full text-sm tabular-nums hover:bg-hover sm:self-start',
                each === today
                  ? 'bg-accent font-medium text-on-accent hover:bg-accent-strong'
                  : isOther && 'text-faint',
              )}
            >
              {Number(each.slice(8))}
            </Link>
            <div className="grid gap-0.5 max-sm:hidden">
              {found.slice(0, SHOWN).map((event) => (
                <EventButton key={event.event_id} event={event} onOpen={onOpen} />
              ))}
              {found.length > SHOWN && (
                <Link
                  to="/me/calendar"
                  search={{ view: 'day', date: each }}
                  className="px-1.5 text-xs text-soft hover:underline"
                >
                  {words.more(found.length - SHOWN)}
                </Link>
              )}
            </div>
            {found.length > 0 && (
              <span aria-hidden="true" className="flex justify-center gap-0.5 sm:hidden">
                {found.slice(0, SHOWN).map((event) => (
                  <span key={event.event_id} className="size-1.5 rounded-full bg-accent" />
                ))}
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
}
