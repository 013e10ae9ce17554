import { z } from 'zod';

/** Something that goes wrong on demand, over real HTTP. */
export const Fault = z.strictObject({
  kind: z.enum([
    /** An error status, as the vendor words it. */
    'status',
    /** No answer, or no more of it after `after` chunks, until the client gives up. */
    'hang',
    /** The connection is reset after `after` chunks. */
    'reset',
    /** An error object in the stream after `after` chunks. */
    'error-chunk',
    /** Everything but the usage. */
    'no-usage',
    /** A 200 whose body is not JSON. */
    'garbage',
    /** A 200 whose body is `megabytes` long. */
    'huge',
    /** An answer that does not fit its contract. */
    'violation',
    /** A good answer, late: `latencyMs`, `chunkDelayMs`. */
    'slow',
  ]),
  status: z.int().min(400).max(599).optional(),
  /** Value of the Retry-After header. */
  retryAfter: z.string().optional(),
  /** A vendor's particular wording of a status. */
  reason: z.enum(['requests', 'tokens', 'burst', 'arrearage', 'inspection']).optional(),
  after: z.int().nonnegative().optional(),
  megabytes: z.number().positive().optional(),
  latencyMs: z.number().nonnegative().optional(),
  chunkDelayMs: z.number().nonnegative().optional(),
  /** How many requests it hits; once unless said. */
  times: z.number().positive().optional(),
  /** Only requests that fit; any unless said. */
  match: z
    .strictObject({
      endpoint: z.string().optional(),
      dialect: z.string().optional(),
      stage: z.string().optional(),
      model: z.string().optional(),
      key: z.string().optional(),
    })
    .optional(),
});
export type Fault = z.infer<typeof Fault>;

const HEADER_FIELDS: Readonly<Record<string, (value: string) => Partial<Fault> | undefined>> = {
  'retry-after': (value) => ({ retryAfter: value }),
  reason: (value) => {
    const reason = Fault.shape.reason.safeParse(value).data;
    return reason && { reason };
  },
  after: (value) => ({ after: Number(value) }),
  megabytes: (value) => ({ megabytes: Number(value) }),
  latency: (value) => ({ latencyMs: Number(value) }),
  'chunk-delay': (value) => ({ chunkDelayMs: Number(value) }),
};

/** `x-simulate: 429; retry-after=2`, `reset; after=3`, `slow; latency=50; chunk-delay=5`. Undefined if it says nothing known. */
export function readFaultHeader(header: string): Fault | undefined {
  const [name = '', ...fields] = header.split(';').map((part) => part.trim());
  const base = /^\d{3}$/.test(name) ? { kind: 'status', status: Number(name) } : { kind: name };
  const parsed = fields.map((field) => {
    const [key = '', value = ''] = field.split('=', 2);
    return HEADER_FIELDS[key.trim()]?.(value.trim());
  });
  return Fault.safeParse(Object.assign({}, base, ...parsed)).data;
}
