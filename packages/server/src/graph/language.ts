import { settingsOf } from '../users/index.ts';
import type { RunState } from './state.ts';

const CHINESE = /\p{Script=Han}/u;
const LATIN = /\p{Script=Latin}/u;

/** The language of what we say ourselves: the user's setting, or what somebody who has no profile yet writes in. */
export function languageOf({ user_context, input }: Pick<RunState, 'user_context' | 'input'>): string {
  const { ai_language } = settingsOf(user_context).preferences;
  if (!('is_anonymous' in user_context)) return ai_language;
  return LATIN.test(input.prompt) && !CHINESE.test(input.prompt) ? 'en' : ai_language;
}

export const speaksChinese = (state: Pick<RunState, 'user_context' | 'input'>): boolean =>
  languageOf(state).startsWith('zh');
