/** Words of a text for loose comparison: Latin words, and pairs of Chinese characters. */
export function terms(text: string): Set<string> {
  const lower = text.toLowerCase();
  const words = lower.match(/[a-z0-9]{2,}/g) ?? [];
  const han = (lower.match(/\p{Script=Han}+/gu) ?? []).flatMap((run) =>
    run.length === 1 ? [run] : [...run].slice(1).map((character, at) => `${[...run][at]}${character}`),
  );
  const stop = new Set([
    'the',
    'is',
    'are',
    'do',
    'does',
    'my',
    'me',
    'you',
    'what',
    'who',
    'that',
    'user',
    'about',
    'and',
    'of',
    'to',
    '我的',
    '用户',
    '什么',
    '是什',
  ]);
  return new Set([...words, ...han].filter((term) => !stop.has(term)));
}

/** How much of the question a text speaks of, from 0 to 1. */
export function overlap(question: string, text: string): number {
  const asked = terms(question);
  const said = [...terms(text)];
  const shared = [...asked].filter((term) => said.some((other) => other === term || similar(other, term)));
  return asked.size === 0 ? 0 : shared.length / asked.size;
}

/** likes and like, meeting and meetings. */
const similar = (one: string, other: string) =>
  /^[a-z]/.test(one) && one.length > 3 && other.length > 3 && (one.startsWith(other) || other.startsWith(one));
