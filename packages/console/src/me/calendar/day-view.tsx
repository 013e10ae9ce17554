import { useEffect, useRef } from 'react';
import { ScrollBox } from '../../design/index.ts';
import { useWords } from '../../language/index.ts';
import type { ViewProps } from './calendar-page.tsx';
import { placeEvents, timeOf } from './days.ts';
import { EventButton } from './event-button.tsx';
import { calendarWords } from './words.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const HOUR_REM = 2.75;
const rem = (minutes: number) => `${(minutes / 60) * HOUR_REM}rem`;

/** The hours of a day, opened where its work begins. */
export function DayView({ day, events, onOpen }: ViewProps) {
  const words = useWords(calendarWords);
  const box = useRef<HTMLElement>(null);
  const found = events.get(day) ?? [];
  const placed = placeEvents(day, found);
  const wholeDay = found.filter((event) => event.all_day);
  const first = Math.min(8 * 60, ...placed.map(({ from }) => from));
  useEffect(() => {
    const element = box.current;
    if (element) element.scrollTop = (first / (24 * 60)) * element.scrollHeight;
  }, [first]);
  return (
    <>
      {wholeDay.length > 0 && (
        <div className="flex items-start gap-2 border-b border-line p-2">
          <span className="w-10 shrink-0 text-end text-xs leading-5 text-faint">{words.allDay}</span>
          <div className="grid flex-1 gap-1">
            {wholeDay.map((event) => (
              <EventButton key={event.event_id} event={event} onOpen={onOpen} />
            ))}
          </div>
        </div>
      )}
      <ScrollBox ref={box} aria-label={words.views.day} className="relative max-h-[60dvh] overflow-y-auto">
        {HOURS.map((hour) => (
          <div key={hour} className="flex border-line not-first:border-t" style={{ height: rem(60) }}>
            <span className="w-12 pe-2 text-end text-xs text-faint tabular-nums">
              {String(hour).padStart(2, '0')}:00
            </span>
          </div>
        ))}
        <div className="absolute inset-y-0 start-13 end-2">
          {placed.map(({ event, from, to, column, columns }) => (
            <button
              key={event.event_id}
              type="button"
              onClick={() => onOpen(event)}
              className="absolute overflow-hidden rounded-control border border-surface bg-accent-wash px-2 py-0.5 text-start text-sm leading-5 text-accent hover:underline"
              style={{
                top: rem(from),
                height: rem(to - from),
                insetInlineStart: `${(column / columns) * 100}%`,
                width: `${100 / columns}%`,
              }}
            >
              <span className="me-1.5 tabular-nums">{timeOf(event.start)}</span>
              <span className="font-medium">{event.title}</span>
              {event.location && <span className="block truncate text-xs">{event.location}</span>}
            </button>
          ))}
        </div>
      </ScrollBox>
      {found.length === 0 && <p className="border-t border-line p-3 text-center text-faint">{words.noEvents}</p>}
    </>
  );
}
