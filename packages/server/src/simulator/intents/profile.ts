import { sentence } from '../language/facts.ts';
import type { Reading } from '../language/reading.ts';
import type { Profile } from '../prompt/prompt.ts';
import type { Intent } from './intent.ts';

const WHO_AM_I =
  /我是谁|我是什么人|你(?:知道|认识|认得)我(?:是谁)?(?:吗|么)?[?？]?$|我叫什么|我的(?:名字|姓名)(?:是|叫)?什么?[?？]?$|介绍一下我|我的(?:个人)?(?:资料|信息|档案)|\bwho am i\b|\bwhat(?:['’]s| is) my name\b|\bdo you know (?:me|who i am)\b|\bmy (?:profile|details)\b|\btell me about (?:me|myself)\b/i;

/** Fields a person may ask for, in the words they use. */
const FIELDS: readonly { pattern: RegExp; field: keyof Profile; zh: string; en: string }[] = [
  { pattern: /部门|\bdepartment\b/i, field: 'department', zh: '部门', en: 'department' },
  { pattern: /职位|岗位|角色|职务|\b(?:role|job title|position)\b/i, field: 'role', zh: '职位', en: 'role' },
  { pattern: /用户名|\buser ?name\b/i, field: 'username', zh: '用户名', en: 'username' },
  { pattern: /简介|\bbio\b/i, field: 'bio', zh: '简介', en: 'bio' },
  { pattern: /时区|\btime ?zone\b/i, field: 'timezone', zh: '时区', en: 'time zone' },
  { pattern: /名字|姓名|\bname\b/i, field: 'display_name', zh: '名字', en: 'name' },
];
const ASKS = /什么|哪|谁|吗|[?？]|\b(?:what|which|who|where|tell me)\b/i;
const MINE = /我|本人|\b(?:my|i)\b/i;

/** 我是谁 · Who am I? · 我在哪个部门 */
export const identity: Intent = {
  name: 'identity',
  scenario: 'identity',
  understand(clause, { reading }) {
    if (WHO_AM_I.test(clause)) return { say: introduce(reading) };
    const answer = MINE.test(clause) && ASKS.test(clause) ? profileAnswer(clause, reading) : undefined;
    return answer ? { say: answer } : undefined;
  },
};

export function isAnonymous(profile: Profile): boolean {
  return profile.is_anonymous === true || !(profile.display_name ?? profile.username);
}

function introduce(reading: Reading): string {
  const { profile, say } = reading;
  if (isAnonymous(profile)) {
    return say(
      '我还不知道你是谁。你可以在设置里填写个人资料（或调用 PUT /api/v1/users/me/profile），之后我就能认出你。',
      'I do not know who you are yet. Fill in your profile in the settings (or with PUT /api/v1/users/me/profile), and I will.',
    );
  }
  const name = profile.display_name ?? profile.username ?? '';
  const username = profile.username && profile.username !== name ? profile.username : undefined;
  const custom = Object.entries(profile.custom_fields ?? {}).map(([key, value]) => `${key}: ${plain(value)}`);
  const chinese = [
    `你是${name}${username ? `（用户名 ${username}）` : ''}`,
    profile.department && `所在部门：${profile.department}`,
    profile.role && `职位：${profile.role}`,
    profile.bio && `简介：${profile.bio}`,
    ...custom,
  ];
  const english = [
    `You are ${name}${username ? ` (username ${username})` : ''}`,
    profile.department && `department: ${profile.department}`,
    profile.role && `role: ${profile.role}`,
    profile.bio && `bio: ${profile.bio}`,
    ...custom,
  ];
  return sentence(say(chinese.filter(Boolean).join('，'), english.filter(Boolean).join('; ')), reading);
}

/** One field of the profile, if the sentence asks for one that is filled in. */
export function profileAnswer(clause: string, reading: Reading): string | undefined {
  const { profile, say, now } = reading;
  const custom = Object.entries(profile.custom_fields ?? {}).find(([key]) =>
    clause.toLowerCase().includes(key.toLowerCase().replaceAll('_', ' ')),
  );
  if (custom)
    return sentence(say(`你的${custom[0]}是${plain(custom[1])}`, `Your ${custom[0]} is ${plain(custom[1])}`), reading);
  const asked = FIELDS.find(({ pattern }) => pattern.test(clause));
  if (!asked) return undefined;
  const value = profile[asked.field] ?? (asked.field === 'timezone' ? now.timeZoneId : undefined);
  return value
    ? sentence(say(`你的${asked.zh}是${plain(value)}`, `Your ${asked.en} is ${plain(value)}`), reading)
    : undefined;
}

const plain = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
