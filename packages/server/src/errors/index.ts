/** Errors are values from one table of codes; a caller sees the row, never the inside. */
export { type ErrorCode, errors, type FieldError, isKithError, KithError } from './errors.ts';
export { fieldErrorsOf } from './fields.ts';
export { problemOf } from './problem.ts';
