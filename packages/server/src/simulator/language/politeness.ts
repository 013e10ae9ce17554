const ENGLISH =
  /^(?:(?:hi|hello|hey)(?: there| kith)?[,! ]+)?(?:please,? )?(?:(?:can|could|would|will) you(?: please)?(?: help me(?: to)?)? |i(?:['’]d like| would like| want| need)(?: you)? to (?!be called\b)|help me (?:to )?)(?=\S)/i;
const CHINESE =
  /^(?:(?:你好|您好|嗨)[，,！! ]*)?(?:请问)?(?:你)?(?:能不能|可不可以|可以|能否|能)(?:请)?(?:你)?(?:帮我|给我|替我|帮忙)(?!做?什么|干|些)|^(?:我想|我要|想)(?:请你|让你|麻烦你)(?:帮我)?/;
const ASKS_BACK = /(?:吗|好吗|可以吗|行吗|好不好)?\s*[?？]+\s*$|(?:吗|好吗|可以吗|行吗|好不好)\s*$/;

/** Could you schedule …? and 能不能帮我安排…吗 are no questions: what is left is the request itself. */
export function withoutPoliteness(clause: string): string {
  const bare = clause.replace(ENGLISH, '').replace(CHINESE, '');
  return bare === clause ? clause : bare.replace(ASKS_BACK, '').trim();
}
