import type { Reading } from '../language/reading.ts';

const QUOTED =
  /[「『“"]([^」』”"]{1,80})[」』”"]|(?:\b(?:called|titled|named)\s+|标题[是为：:]\s*|名为|叫做?)([^,，。]{1,80})/i;
const LEAD =
  /^(?:(?:请|麻烦)?(?:你)?(?:帮我|给我|替我)|请|麻烦|我(?:想要?|要|需要|会|得|有)?(?![们的])|\s|，|,|安排|创建|新建|添加|新增|预约|预定|预订|约一下|定|加|记|提醒我?|在日历(?:上|里)|(?:一|两)?[个场次](?:新的?)?|日程[:：]?|的|于|在(?=\s)|从(?=\s))+/;
const ENGLISH_LEAD =
  /^(?:please|can you|could you|would you|i (?:have|need|want|would like)(?: to)?|i['’]d like to|i['’]ve got|there(?:['’]s| is)|i(?:['’]m| am|['’]ll be| will be)(?: on| in)?|help me|schedule|create|add|book|set ?up|arrange|plan|put|organi[sz]e|remind me(?: to| about)?|block(?: off)?|new|for|an?|the|event|appointment|:|,|\s)+(?=\S)/i;
const TAIL =
  /(?:[，,。.!！;；]|的|吧|谢谢|帮我记(?:一下|下来|上)?|记(?:一下|下来)|(?:的)?日程|到(?:我的)?日历(?:上|里|中)?|\b(?:to|on|in) (?:my|the) calendar|\bplease|\bthanks?|\b(?:on|at|for|from|by|in|to))+$/i;
const CHINESE_PLACE =
  /(?:地点(?:是|在|为|：|:)?|在)\s*([^，,。\s]{2,20}?)(?=[跟和与同]|开会|见面|吃|讨论|碰头|聚|面试|举行|喝|，|,|。|\s|$)/;
const ENGLISH_PLACE =
  /\b(?:in|at) ((?:the )?(?:room|meeting room|conference room|office|cafe|hall|building)\b[^,.]*|(?:the )?\p{Lu}[\p{L}\d '’&-]*?)(?= (?:for|with|about)\b|$)/u;

/** What an event is called and where it is, out of a sentence without its times. */
export function eventTitle(
  text: string,
  people: readonly string[],
  reading: Reading,
): { title: string; location?: string } {
  const quoted = QUOTED.exec(text);
  const named = (quoted?.[1] ?? quoted?.[2])?.trim();
  const place = placeIn(text, people);
  const bare = place ? text.replace(place.phrase, ' ') : text;
  const title = named ?? tidy(bare);
  return {
    title: title || fallbackTitle(people, reading),
    ...(place ? { location: place.name } : {}),
  };
}

function tidy(text: string): string {
  const lead = text.replace(LEAD, '').replace(ENGLISH_LEAD, '');
  const core = lead.trim().replace(TAIL, '').replace(TAIL, '').replace(LEAD, '').replace(/\s+/g, ' ').trim();
  const joined = core.replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '');
  return joined.charAt(0).toUpperCase() + joined.slice(1);
}

function placeIn(text: string, people: readonly string[]): { phrase: string; name: string } | undefined {
  const match = CHINESE_PLACE.exec(text) ?? ENGLISH_PLACE.exec(text.trim());
  const name = match?.[1]?.trim();
  return match && name && !people.includes(name) ? { phrase: match[0], name } : undefined;
}

function fallbackTitle(people: readonly string[], { say }: Reading): string {
  const names = people.join(say('、', ' and '));
  return names ? say(`和${names}会面`, `Meeting with ${names}`) : say('新日程', 'New event');
}
