/** Errors are values from one table of codes; a caller sees the row, never the inside. */
export { type ErrorCode, errors, isKithError, KithError } from './errors.ts';
export { problemOf } from './problem.ts';
