import type { ToolError } from '@kith/protocol';
import { inLanguage, type Words } from './words.ts';

/** Why a skill could not do what it was asked: a row of this table, with `{facts}` filled in, and the field to mend. */
const rows = {
  INPUT_INVALID: { zh: '{reason}', en: '{reason}' },
  SKILL_UNKNOWN: { zh: '没有名为 {module} 的技能，可用：{known}', en: 'There is no skill {module}; there are {known}' },
  METHOD_UNKNOWN: {
    zh: '{module} 没有方法 {method}，可用：{known}',
    en: '{module} has no method {method}; it has {known}',
  },
  SKILL_NOT_ENABLED: { zh: '{name} 在这里没有启用', en: '{name} is not enabled here' },
  SKILL_UNAVAILABLE: { zh: '{module} 现在不可用', en: '{module} cannot be used now' },
  TIMED_OUT: {
    zh: '{name} 在 {seconds} 秒内没有回应，操作可能已经生效',
    en: '{name} did not answer within {seconds} s; it may have taken effect',
  },
  OUTCOME_UNKNOWN: {
    zh: '与 {name} 的连接中断，操作可能已经生效',
    en: 'The connection to {name} broke; it may have taken effect',
  },
  TOOL_FAILED: { zh: '{reason}', en: '{reason}' },
  CANCELED: { zh: '已取消', en: 'Canceled' },
  INTERNAL: { zh: '内部错误，没有改动任何内容', en: 'Something went wrong on our side; nothing was changed' },

  TIME_INVALID: {
    zh: '时间无效：应为 2026-11-16T15:00（用户时区）、2026-11-16T15:00+08:00，或全天的 2026-11-16',
    en: 'Not a time: expected 2026-11-16T15:00 (in the user’s zone), 2026-11-16T15:00+08:00, or 2026-11-16 for a whole day',
  },
  TIME_OUT_OF_RANGE: { zh: '年份应在 1900 到 2199 之间', en: 'The year must be between 1900 and 2199' },
  END_BEFORE_START: { zh: '结束早于开始', en: 'The end is before the start' },
  END_MISSING: { zh: '开始改变了形式，请同时给出结束时间', en: 'Give the end too: the start changed its form' },
  SPAN_TOO_LONG: { zh: '时间跨度不能超过 {days} 天', en: 'The span must not exceed {days} days' },
  RECURRENCE_INVALID: {
    zh: '重复规则无效（{reason}）：应为 RRULE，例如 FREQ=WEEKLY;BYDAY=MO',
    en: 'Not a usable recurrence ({reason}): expected an RRULE such as FREQ=WEEKLY;BYDAY=MO',
  },
  RECURRENCE_NEVER: {
    zh: '这个重复规则在十年内没有任何一次',
    en: 'This recurrence does not happen within ten years of the start',
  },
  RECURRENCE_MISMATCH: {
    zh: '新的开始时间不在重复规则的日子上，请同时给出 recurrence',
    en: 'The new start is not on a day of the recurrence: give `recurrence` too',
  },
  TOO_MANY_SERIES: {
    zh: '重复日程已达上限 {limit} 个',
    en: 'There are {limit} recurring events already, the most one can have',
  },
  NOTHING_TO_CHANGE: { zh: '没有给出要修改的内容', en: 'Nothing to change was given' },
  EVENT_NOT_FOUND: { zh: '没有找到这个日程', en: 'There is no such event' },
  EVENT_NOT_EDITABLE: { zh: '这个日程只能查看，不能修改', en: 'This event may be viewed, not changed' },
  EVENT_NOT_OWNED: {
    zh: '只有组织者可以这样做；可以拒绝邀请',
    en: 'Only the organizer may do this; the invitation can be rejected',
  },
  SCOPE_NEEDS_SERIES: { zh: '这个日程不重复，不需要 scope', en: 'This event does not repeat: leave out `scope`' },
  SCOPE_NEEDS_OCCURRENCE: {
    zh: '请使用某一次的 event_id（由 calendar.read 给出）',
    en: 'Use the event_id of one occurrence, as calendar.read gives it',
  },
  SCOPE_NOT_SHARED: { zh: '只共享了这一次，不能修改整个系列', en: 'Only this occurrence is shared, not the series' },
  RECURRENCE_NEEDS_SERIES: {
    zh: '单次修改不能改变重复规则，请用 scope=following 或 all',
    en: 'One occurrence cannot change the recurrence: use scope following or all',
  },
  NOT_INVITED: { zh: '没有收到这个日程的邀请', en: 'There is no invitation to this event' },
  CONTACT_NOT_FOUND: { zh: '联系人中没有这个人', en: 'This person is not among the contacts' },
  CONTACT_IS_SELF: { zh: '这是用户本人', en: 'This is the user themself' },
  CONTACT_AMBIGUOUS: { zh: '请给出 contact_id 或 user_id 其中之一', en: 'Give either contact_id or user_id' },

  MEMORY_NOT_FOUND: { zh: '没有找到这条记忆', en: 'There is no such memory' },
  MEMORY_OFF: { zh: '用户关闭了记忆', en: 'The user has turned memory off' },
  FILE_NOT_FOUND: { zh: '没有找到这个文件', en: 'There is no such file' },
  FILE_UNREADABLE: { zh: '这个文件没有可读的内容：{reason}', en: 'This file has no readable text: {reason}' },
  RESOURCE_NOT_FOUND: { zh: '没有这个资源，可用：{known}', en: 'There is no such resource; there are {known}' },
} as const satisfies Record<string, Words>;

export type FailureCode = keyof typeof rows;
const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(rows, code);

export class SkillFailure extends Error {
  readonly code: FailureCode;
  readonly field: string | undefined;
  readonly facts: Readonly<Record<string, string | number>>;

  constructor(code: FailureCode, field?: string, facts: Record<string, string | number> = {}) {
    super(code);
    this.name = 'SkillFailure';
    this.code = code;
    this.field = field;
    this.facts = facts;
  }

  /** The row of an error that came from another room, if this table has it too. */
  static ofCode(code: string): SkillFailure | undefined {
    return isFailureCode(code) ? new SkillFailure(code) : undefined;
  }

  /** The same failure, of a field inside `prefix`. */
  within(prefix: string): SkillFailure {
    return new SkillFailure(this.code, this.field ? `${prefix}.${this.field}` : prefix, this.facts);
  }

  toToolError(language: string): ToolError {
    const message = inLanguage(rows[this.code], language).replace(/\{(\w+)\}/g, (_, name) =>
      String(this.facts[name] ?? ''),
    );
    return { code: this.code, message, ...(this.field ? { field: this.field } : {}) };
  }
}
