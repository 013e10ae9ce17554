import type { z } from 'zod';
import type { FieldError } from './errors.ts';

type Issue = z.core.$ZodIssue;

/** Names each field that a Zod schema refused. `root` stands for the whole when the fault has no path. */
export function fieldErrorsOf(error: { issues: readonly Issue[] }, root = 'body'): FieldError[] {
  return error.issues.flatMap((issue) => namesOf(issue, [], root));
}

function namesOf(issue: Issue, outer: readonly PropertyKey[], root: string): FieldError[] {
  const path = [...outer, ...issue.path];
  const name = (parts: readonly PropertyKey[]) => parts.map(String).join('.') || root;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: name([...path, key]), message: 'unknown field' }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    // The branch with the fewest faults is the one that was meant.
    const [closest] = issue.errors.toSorted((a, b) => a.length - b.length);
    if (closest && closest.length > 0) return closest.flatMap((inner) => namesOf(inner, path, root));
  }
  return [{ field: name(path), message: issue.message }];
}
