import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react';
import { classes } from './classes.ts';

interface FieldIds {
  control: string;
  describedBy: string | undefined;
  invalid: boolean;
}
const FieldContext = createContext<FieldIds | undefined>(undefined);

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** What is wrong with it, in words; shown under the control and read out with it. */
  error?: string | undefined;
  className?: string;
  children: ReactNode;
}

/** A label, a control (`Input`, `Textarea`, `Select`), and what is to be said about it. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  const ids: FieldIds = {
    control: id,
    describedBy: [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined,
    invalid: error !== undefined,
  };
  return (
    <div className={classes('grid gap-1', className)}>
      <label htmlFor={id} className="text-sm font-medium text-soft">
        {label}
      </label>
      <FieldContext value={ids}>{children}</FieldContext>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-faint">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

function useFieldProps() {
  const field = useContext(FieldContext);
  if (!field) return {};
  return {
    id: field.control,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
  } as const;
}

const box =
  'w-full rounded-control border border-edge bg-surface px-3 text-ink placeholder:text-faint transition-colors hover:border-soft disabled:opacity-60 aria-invalid:border-bad';

export const Input = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input {...useFieldProps()} {...rest} className={classes(box, 'h-9', className)} />
);

export const Textarea = ({ className, ...rest }: ComponentProps<'textarea'>) => (
  <textarea {...useFieldProps()} {...rest} className={classes(box, 'min-h-20 py-2', className)} />
);

/** The system's own list: it knows every keyboard and every phone. */
export const Select = ({ className, ...rest }: ComponentProps<'select'>) => (
  <select {...useFieldProps()} {...rest} className={classes(box, 'h-9 pe-8', className)} />
);

export type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint?: ReactNode };

export function Checkbox({ label, hint, className, ...rest }: CheckboxProps) {
  return (
    <label className={classes('flex items-start gap-2.5', className)}>
      <input type="checkbox" {...rest} className="mt-[0.3em] size-4 shrink-0" />
      <span>
        {label}
        {hint && <span className="block text-sm text-faint">{hint}</span>}
      </span>
    </label>
  );
}
