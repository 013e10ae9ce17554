import type { StepError } from '../intents/draft.ts';
import { isoString, localTime } from '../language/format.ts';
import type { Reading } from '../language/reading.ts';
import type { Mend } from './replay.ts';

/** Fields that a call can do without. */
const DISPENSABLE = new Set([
  'location',
  'description',
  'recurrence',
  'participants',
  'limit',
  'permission',
  'scope',
  'reason',
  'all_day',
  'pages',
]);
const UNKNOWN_FIELD = /unrecogni[sz]ed|unknown|unexpected|not allowed|additional|未知|不支持/i;

/** Corrects the field that a failed call names, where there is a sensible value for it. Once: then it gives up. */
export function mending(reading: Reading): Mend {
  return (_tool, input, error) => {
    const field = fieldOf(error);
    if (!field) return undefined;
    if (field in input && (UNKNOWN_FIELD.test(error.message) || DISPENSABLE.has(field))) return without(input, field);
    const value = sensible(field, input, reading);
    return value === undefined || value === input[field] ? undefined : { ...input, [field]: value };
  };
}

const fieldOf = ({ field }: StepError): string | undefined =>
  field
    ?.split(/[.[\]/]/)
    .filter(Boolean)
    .at(-1);

function sensible(field: string, input: Record<string, unknown>, reading: Reading): unknown {
  const start = typeof input.start === 'string' ? localTime(input.start, reading) : undefined;
  switch (field) {
    case 'end':
      return start && isoString(start.add({ hours: 1 }));
    case 'start':
      return isoString(reading.now.round({ smallestUnit: 'hour', roundingMode: 'ceil' }));
    case 'date':
      return reading.now.toPlainDate().toString();
    case 'title':
      return reading.say('新日程', 'New event');
    default:
      return undefined;
  }
}

const without = (input: Record<string, unknown>, field: string) =>
  Object.fromEntries(Object.entries(input).filter(([key]) => key !== field));
