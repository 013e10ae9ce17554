import type { CalendarEvent } from '@kith/protocol';
import type { ReactNode } from 'react';
import { Dialog } from '../../design/index.ts';
import { LOCALES, useLanguage, useWords } from '../../language/index.ts';
import { dayText, firstDay, timeOf } from './days.ts';
import { calendarWords } from './words.ts';

export function EventDialog({ event, onClose }: { event: CalendarEvent | undefined; onClose: () => void }) {
  return (
    <Dialog open={event !== undefined} onClose={onClose} title={event?.title ?? ''} className="max-w-md">
      {event && <Facts event={event} />}
    </Dialog>
  );
}

function Facts({ event }: { event: CalendarEvent }) {
  const words = useWords(calendarWords);
  const people = event.participants?.map(({ name, status }) => `${name} (${words.statuses[status]})`).join(', ');
  const facts: [string, ReactNode][] = [
    [words.when, useWhen(event)],
    [words.where, event.location],
    [words.about, event.description],
    [words.repeats, event.recurrence],
    [words.organizer, event.organizer],
    [words.mine, event.my_status && words.statuses[event.my_status]],
    [words.people, people],
  ];
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        {facts
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-faint">{label}</dt>
              <dd className="wrap-anywhere whitespace-pre-line">{value}</dd>
            </div>
          ))}
      </dl>
      <p className="mt-4 border-t border-line pt-3 text-sm text-faint">{words.changeHint}</p>
    </>
  );
}

function useWhen(event: CalendarEvent): string {
  const words = useWords(calendarWords);
  const text = dayText(LOCALES[useLanguage()], { month: 'long', day: 'numeric', weekday: 'short' });
  const [from, to] = [firstDay(event), event.end.slice(0, 10)];
  if (event.all_day) return from === to ? `${text(from)} ${words.allDay}` : `${text(from)} – ${text(to)}`;
  if (from === to) return `${text(from)} ${timeOf(event.start)}–${timeOf(event.end)}`;
  return `${text(from)} ${timeOf(event.start)} – ${text(to)} ${timeOf(event.end)}`;
}
