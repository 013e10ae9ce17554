import { type FormEvent, useState } from 'react';
import { isApiError } from '../api/index.ts';
import { useLanguage } from '../language/index.ts';
import { inWords, sayError } from './messages.ts';

/** What a schema's `safeParse` gives, as far as a form looks into it. */
type Checked<Input> =
  | { success: true; data: Input }
  | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } };

export interface FormOptions<Draft extends object, Input> {
  initial: Draft;
  /** The draft as the wire would have it, read by the wire's schema. */
  check: (draft: Draft) => Checked<Input>;
  save: (input: Input) => Promise<unknown>;
}

export interface Form<Draft extends object> {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
  /** What is wrong with a field, once something was typed into it or sent: its path, as `preferences.timezone`. */
  error: (field: string) => string | undefined;
  /** What is wrong with the whole, where no field can be named. */
  failure: string | undefined;
  busy: boolean;
  isChanged: boolean;
  onSubmit: (event: FormEvent) => void;
}

type Refusal = { fields: ReadonlyMap<string, string>; text: string | undefined };
const none: Refusal = { fields: new Map(), text: undefined };

/**
 * Fields complain as one types, but only those that were touched; all of them when it is sent. What the server refuses
 * stands at its field until that field changes.
 */
export function useForm<Draft extends object, Input>({ initial, check, save }: FormOptions<Draft, Input>): Form<Draft> {
  const language = useLanguage();
  const [draft, setDraft] = useState(initial);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isSent, setSent] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>(none);
  const [busy, setBusy] = useState(false);
  const checked = check(draft);
  const issues = new Map<string, string>();
  if (!checked.success) {
    for (const { path, message } of checked.error.issues) {
      const field = path.join('.');
      if (!issues.has(field)) issues.set(field, message);
    }
  }

  const submit = async () => {
    setSent(true);
    if (!checked.success) return;
    setBusy(true);
    setRefusal(none);
    try {
      await save(checked.data);
      setSent(false);
      setTouched(new Set());
    } catch (error) {
      setRefusal(refusalOf(error, language));
    } finally {
      setBusy(false);
    }
  };

  const isOf = (name: string, field: string) =>
    field === name || field.endsWith(`.${name}`) || field.startsWith(`${name}.`);
  return {
    draft,
    set(change) {
      const names = Object.keys(change);
      setDraft({ ...draft, ...change });
      setTouched(new Set([...touched, ...names]));
      const left = [...refusal.fields].filter(([field]) => !names.some((name) => isOf(name, field)));
      setRefusal({ fields: new Map(left), text: undefined });
    },
    error(field) {
      const refused = refusal.fields.get(field);
      if (refused) return refused;
      const isShown = isSent || [...touched].some((name) => isOf(name, field));
      const issue = issues.get(field);
      return isShown && issue !== undefined ? inWords(issue, language) : undefined;
    },
    failure: refusal.text,
    busy,
    isChanged: touched.size > 0,
    onSubmit(event) {
      event.preventDefault();
      const form = event.currentTarget;
      void submit();
      // After the errors are drawn: the first of them is where the person has to go.
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
    },
  };
}

function refusalOf(error: unknown, language: 'zh' | 'en'): Refusal {
  const fields = isApiError(error) ? (error.problem.errors ?? []) : [];
  if (fields.length === 0) return { fields: new Map(), text: sayError(error, language) };
  const named = fields.map(({ field, message }) => [field, inWords(message, language)] as const);
  return { fields: new Map(named), text: named.map(([field, message]) => `${field}: ${message}`).join('\n') };
}
