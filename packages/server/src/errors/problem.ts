import type { Problem } from '@kith/protocol';
import type { KithError } from './errors.ts';

/** The body a caller gets: RFC 9457, with the stable code. */
export function problemOf(error: KithError, instance?: string, requestId?: string): Problem {
  return {
    type: `urn:kith:error:${error.code.toLowerCase().replaceAll('_', '-')}`,
    title: error.title,
    status: error.status,
    code: error.code,
    ...(error.message === error.title ? {} : { detail: error.message }),
    ...(instance ? { instance } : {}),
    ...(requestId ? { request_id: requestId } : {}),
    ...(error.fields.length > 0 ? { errors: [...error.fields] } : {}),
  };
}
