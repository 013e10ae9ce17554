/** Forms that check what is typed by the wire's own schemas, and show a refusal at its field. */
export { type Form, type FormOptions, useForm } from './form.ts';
export { sayError, useErrorText } from './messages.ts';
