import { z } from 'zod';
import { SkillFailure } from './failures.ts';
import { isChinese } from './words.ts';

const locales = { zh: z.locales.zhCN().localeError, en: z.locales.en().localeError };

/** Reads the input, or says in the user's language what is wrong with which field. */
export function readInput<Input>(schema: z.ZodType<Input>, input: unknown, language: string): Input {
  const parsed = schema.safeParse(input, { error: isChinese(language) ? locales.zh : locales.en });
  if (parsed.success) return parsed.data;
  const { field, reason } = faultOf(parsed.error.issues);
  throw new SkillFailure('INPUT_INVALID', field, { reason: field ? `${field}: ${reason}` : reason });
}

type Issue = z.core.$ZodIssue;

function faultOf(issues: readonly Issue[], prefix: readonly PropertyKey[] = []): { field?: string; reason: string } {
  const issue = issues[0];
  if (!issue) return { reason: 'invalid' };
  const path = [...prefix, ...issue.path];
  // Of the forms that an input may take, the one it comes closest to is the one that was meant.
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const closest = issue.errors.reduce((best, branch) => (weight(branch) < weight(best) ? branch : best));
    return faultOf(closest, path);
  }
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const field = (unknown === undefined ? path : [...path, unknown]).map(String).join('.');
  return { ...(field ? { field } : {}), reason: issue.message };
}

const weight = (issues: readonly Issue[]): number =>
  issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);
