/** The one tool of every peer: an empty day of a calendar, found at once. It counts how often it really ran. */
export const INSTRUCTIONS = 'You are a helpful assistant. Look days up until you know enough, then answer.';
export const NAME = 'lookup';
export const DESCRIPTION = 'Reads one day of the calendar.';

let runs = 0;
export const toolRuns = () => runs;

export async function lookup({ date }) {
  runs += 1;
  return { date, count: 0, events: [] };
}
