import { Temporal } from 'temporal-polyfill';
import type { AttachedFile, KnownMemory, Profile, Prompt } from '../prompt/prompt.ts';

/** The two languages that the simulator speaks. */
export type Language = 'zh' | 'en';

/** Who asks, when, where, and in which language to answer. */
export interface Reading {
  language: Language;
  /** Picks the sentence in the user's language. */
  say(chinese: string, english: string): string;
  now: Temporal.ZonedDateTime;
  profile: Profile;
  /** What is known of the user; verbatim turns are left out, what was learned from them says it better. */
  memory: readonly KnownMemory[];
  files: readonly AttachedFile[];
  history: Prompt['history'];
}

/** `clock` is used only where the prompt gives no time, as in a plain chat. */
export function readingOf(prompt: Prompt, clock: () => number): Reading {
  const language = languageOf(prompt);
  return {
    language,
    say: (chinese, english) => (language === 'zh' ? chinese : english),
    now: nowOf(prompt, clock),
    profile: prompt.profile,
    memory: prompt.context.memory.filter(({ kind }) => kind !== 'turn'),
    files: prompt.context.files,
    history: prompt.history,
  };
}

function languageOf({ context, profile, message }: Prompt): Language {
  const wanted = context.ai_language ?? profile.ai_language;
  if (wanted) return wanted.startsWith('zh') ? 'zh' : 'en';
  return /\p{Script=Han}/u.test(message) ? 'zh' : 'en';
}

function nowOf({ context, profile }: Prompt, clock: () => number): Temporal.ZonedDateTime {
  const instant = instantOf(context.now) ?? Temporal.Instant.fromEpochMilliseconds(clock());
  try {
    return instant.toZonedDateTimeISO(context.timezone ?? profile.timezone ?? 'UTC');
  } catch {
    return instant.toZonedDateTimeISO('UTC');
  }
}

export function instantOf(text: string | undefined): Temporal.Instant | undefined {
  try {
    return text === undefined ? undefined : Temporal.Instant.from(text);
  } catch {
    return undefined;
  }
}
