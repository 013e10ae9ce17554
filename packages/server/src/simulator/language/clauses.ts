/** What certainly begins something new. */
const STRONG =
  /[;；。！!\n]+|(?<=[?？])|(?<=[a-z]{3})\.\s+(?=[A-Z])|[，,]?\s*(?:然后|接着|最后|随后|之后再|完了再|并且|而且|同时|另外|(?<=[，,\s])还有(?!什么|哪|谁|几|多少|没|别的|其他)|顺便)[，,]?|[,]?\s*\b(?:and then|then|after that|afterwards)\b/i;
/** What may join two requests, or only two nouns; a comma rather than a word. */
const WEAK = [/[，,]/g, /、|和|跟|与|并|再|\band\b/gi];

/**
 * The requests in a message, one by one. A strong joint always cuts. A weak one cuts only where both
 * sides make sense alone: 明天的日程和李雷的联系方式 is two requests, 和李雷开会 is none.
 */
export function splitClauses(text: string, read: (clause: string) => { greedy?: string } | undefined): string[] {
  const known = new Map<string, { greedy?: string } | undefined>();
  const understand = (clause: string) => {
    if (!known.has(clause)) known.set(clause, read(clause));
    return known.get(clause);
  };
  return text
    .split(STRONG)
    .map((part) => part?.trim() ?? '')
    .filter((part) => part !== '')
    .flatMap((part) => (understand(part)?.greedy ? [part] : cut(part, (clause) => understand(clause) !== undefined)));
}

/** More joints than this are a list or a pasted text. */
const MOST_JOINTS = 8;

function cut(part: string, makesSense: (clause: string) => boolean): string[] {
  const joints = WEAK.flatMap((pattern) => [...part.matchAll(pattern)]);
  if (joints.length > MOST_JOINTS) return [part];
  for (const joint of joints) {
    const left = part.slice(0, joint.index).trim();
    const right = part.slice(joint.index + joint[0].length).trim();
    if (left === '' || right === '' || !makesSense(left)) continue;
    const rest = cut(right, makesSense);
    if (rest.every(makesSense)) return [...cut(left, makesSense), ...rest];
  }
  return [part];
}
