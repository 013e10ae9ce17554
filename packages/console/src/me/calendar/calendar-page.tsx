import { type CalendarEvent, CalendarEventList } from '@kith/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/index.ts';
import { useShortcut } from '../../app/index.ts';
import { Button, Card, classes, IconButton, LoadFailure, Notice } from '../../design/index.ts';
import { LOCALES, useFormat, useLanguage, useWords } from '../../language/index.ts';
import { MeFrame } from '../me-frame.tsx';
import { CALENDAR_VIEWS, type CalendarView } from '../routes.ts';
import { DayView } from './day-view.tsx';
import { daysOf, dayText, eventsByDay, step } from './days.ts';
import { EventDialog } from './event-dialog.tsx';
import { MonthView } from './month-view.tsx';
import { WeekView } from './week-view.tsx';
import { calendarWords } from './words.ts';

export function CalendarPage() {
  const words = useWords(calendarWords);
  const format = useFormat();
  const { view = 'month', date } = useSearch({ from: '/me/calendar' });
  const today = format.day(new Date());
  const day = date ?? today;
  const days = daysOf(view, day);
  const [from = day, to = day] = [days[0], days.at(-1)];
  const [open, setOpen] = useState<CalendarEvent>();
  const { data, error, refetch } = useQuery({
    queryKey: ['calendar', from, to],
    queryFn: ({ signal }) => api.get('api/v1/calendar/events', CalendarEventList, { query: { from, to }, signal }),
    placeholderData: (previous) => previous,
  });
  const events = eventsByDay(days, data?.events ?? []);
  const shown = { day, today, days, events, onOpen: setOpen };
  return (
    <MeFrame page="calendar">
      <Toolbar view={view} day={day} today={today} />
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {data?.truncated && <Notice tone="warn">{words.truncated}</Notice>}
      <Card className="overflow-hidden p-0!">
        {view === 'month' && <MonthView {...shown} />}
        {view === 'week' && <WeekView {...shown} />}
        {view === 'day' && <DayView {...shown} />}
      </Card>
      {data?.count === 0 && <p className="text-center text-soft">{words.emptyHint}</p>}
      <EventDialog event={open} onClose={() => setOpen(undefined)} />
    </MeFrame>
  );
}

/** What every view gets. */
export interface ViewProps {
  day: string;
  today: string;
  days: readonly string[];
  events: ReadonlyMap<string, readonly CalendarEvent[]>;
  onOpen: (event: CalendarEvent) => void;
}

function Toolbar({ view, day, today }: { view: CalendarView; day: string; today: string }) {
  const words = useWords(calendarWords);
  const locale = LOCALES[useLanguage()];
  const navigate = useNavigate({ from: '/me/calendar' });
  const go = (date: string) => void navigate({ search: { view, date } });
  useShortcut('t', words.today, () => go(today));
  useShortcut('arrowleft', words.previous, () => go(step(view, day, -1)));
  useShortcut('arrowright', words.next, () => go(step(view, day, 1)));
  const options: Intl.DateTimeFormatOptions =
    view === 'day' ? { dateStyle: 'full' } : { year: 'numeric', month: 'long' };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button size="small" onClick={() => go(today)}>
        {words.today}
      </Button>
      <IconButton icon="back" label={words.previous} onClick={() => go(step(view, day, -1))} />
      <IconButton icon="back" label={words.next} className="rotate-180" onClick={() => go(step(view, day, 1))} />
      <h2 aria-live="polite" className="flex-1 text-lg font-semibold whitespace-nowrap">
        {dayText(locale, options)(day)}
      </h2>
      <nav aria-label={words.viewLabel} className="flex overflow-hidden rounded-control border border-line">
        {CALENDAR_VIEWS.map((name) => (
          <Link
            key={name}
            to="/me/calendar"
            search={{ view: name, date: day }}
            aria-current={name === view ? 'true' : undefined}
            className={classes(
              'px-3 py-1 text-sm',
              name === view ? 'bg-accent-wash font-medium text-accent' : 'bg-surface text-soft hover:bg-hover',
            )}
          >
            {words.views[name]}
          </Link>
        ))}
      </nav>
    </div>
  );
}
