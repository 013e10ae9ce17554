/** Words that requests are made of, long enough that a slip in them is not some other word. */
const KNOWN_WORDS = [
  'schedule',
  'reschedule',
  'meeting',
  'calendar',
  'appointment',
  'remember',
  'birthday',
  'tomorrow',
  'yesterday',
  'afternoon',
  'tuesday',
  'wednesday',
  'thursday',
  'saturday',
];
/** Of several characters that sound alike, the wrong ones: what stands here is no word. */
const SOUNDS: readonly [RegExp, string][] = [
  [/按排|安牌/g, '安排'],
  [/日成(?!本)|曰程/g, '日程'],
  [/会义/g, '会议'],
  [/提型(?=我)/g, '提醒'],
  [/联系[认任]/g, '联系人'],
  [/记[注主](?=我)/g, '记住'],
];

/** The text with slips of the keyboard mended in the words that matter; names and everything else stay as they are. */
export function respelled(text: string): string {
  const chinese = SOUNDS.reduce((mended, [from, to]) => mended.replace(from, to), text);
  return chinese.replace(/\b[a-z]{6,}\b/gi, (word) => meant(word.toLowerCase()) ?? word);
}

function meant(word: string): string | undefined {
  // scheduled, meetings: known, and more.
  if (KNOWN_WORDS.some((known) => word.startsWith(known))) return undefined;
  const near = KNOWN_WORDS.filter((known) => isSlipOf(word, known));
  return near.length === 1 ? near[0] : undefined;
}

const VOWEL = /[aeiou]/;

/** One letter too few or too many, two that changed places, or one vowel for another. */
function isSlipOf(word: string, known: string): boolean {
  const at = [...known].findIndex((letter, index) => letter !== word[index]);
  if (at < 0) return word.length === known.length + 1;
  const [rest, knownRest] = [word.slice(at), known.slice(at)];
  return (
    rest === knownRest.slice(1) ||
    rest.slice(1) === knownRest ||
    (rest.slice(2) === knownRest.slice(2) && rest[0] === knownRest[1] && rest[1] === knownRest[0]) ||
    (rest.slice(1) === knownRest.slice(1) && VOWEL.test(rest[0] ?? '') && VOWEL.test(knownRest[0] ?? ''))
  );
}
