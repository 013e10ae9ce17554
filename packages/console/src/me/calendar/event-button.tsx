import type { CalendarEvent } from '@kith/protocol';
import { classes } from '../../design/index.ts';
import { timeOf } from './days.ts';

/** An event as one line: its time, its title. What was declined is struck through. */
export function EventButton({ event, onOpen }: { event: CalendarEvent; onOpen: (event: CalendarEvent) => void }) {
  return (
    <button
      type="button"
      onClick={() => onOpen(event)}
      className={classes(
        'block w-full truncate rounded px-1.5 text-start text-xs leading-5',
        event.all_day
          ? 'bg-accent text-on-accent hover:bg-accent-strong'
          : 'bg-accent-wash text-accent hover:underline',
        event.my_status === 'rejected' && 'line-through',
      )}
    >
      {!event.all_day && <span className="me-1 tabular-nums">{timeOf(event.start)}</span>}
      {event.title}
    </button>
  );
}
