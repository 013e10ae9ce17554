/** What certainly begins something new. */
const STRONG =
  /[;；。！!\n]+|(?<=[?？])|(?<=[a-z]{3})\.\s+(?=[A-Z])|[，,]?\s*(?:然后|接着|最后|随后|之后再|完了再|并且|而且|同时|另外|(?<=[，,\s])还有(?!什么|哪|谁|几|多少|没|别的|其他)|顺便)[，,]?|[,]?\s*\b(?:and then|then|after that|afterwards)\b/i;
/** What may join two requests, or only two nouns; a comma rather than a word. */
const WEAK = [/[，,]/g, /、|和|跟|与|并|再|\band\b/gi];

/** After a time, 和 says with whom: 取消明天和李雷的会议, 把周五下午三点和韩梅梅的面试改到下周. */
const TIME_BEFORE = /(?:[今明后昨]天|大后天|(?:周|星期|礼拜)[一二三四五六日天]|[早晚]上|[上下中]午|[点半号日])$/;
const PERSON_AFTER =
  /^(?![今明后昨]天|周|星期|礼拜|[上下这本]|我)[^，,。的]{1,8}的?(?:会|约|见面|聚餐|[早午晚]?[饭餐]|面试|电话|通话|讨论|沟通)/;

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
    if (/[和跟与]/.test(joint[0]) && TIME_BEFORE.test(left) && PERSON_AFTER.test(right)) continue;
    const rest = cut(right, makesSense);
    if (rest.every(makesSense)) return [...cut(left, makesSense), ...rest];
  }
  return [part];
}
