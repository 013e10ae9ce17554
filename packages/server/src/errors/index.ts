/** Errors are values from one table of codes; a caller sees the row, never the inside. */
export { errors, isKithError, KithError, type ErrorCode } from './errors.ts';
export { problemOf } from './problem.ts';
