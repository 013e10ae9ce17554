import type { MemoryKind } from '@kith/protocol';
import { inLanguage, type Words } from '../words.ts';
import type { UpdateInput } from './inputs.ts';

/** One sentence to be kept. Of a `slot` there is one at a time: a new nickname takes the place of the old. */
export interface Statement {
  kind: MemoryKind;
  content: string;
  slot?: Words;
}

/** How a field is told. Those without a label are sentences already. */
interface Telling {
  kind: MemoryKind;
  label?: Words;
}
const personal: Record<keyof NonNullable<UpdateInput['user_memory']>, Telling> = {
  nickname: { kind: 'fact', label: { zh: '昵称', en: 'Nickname' } },
  birthday: { kind: 'fact', label: { zh: '生日', en: 'Birthday' } },
  location: { kind: 'fact', label: { zh: '所在地', en: 'Location' } },
  facts: { kind: 'fact' },
  preferences: { kind: 'preference' },
};
const work: Record<keyof NonNullable<UpdateInput['work_profile']>, Telling> = {
  company: { kind: 'work_profile', label: { zh: '公司', en: 'Company' } },
  department: { kind: 'work_profile', label: { zh: '部门', en: 'Department' } },
  title: { kind: 'work_profile', label: { zh: '职位', en: 'Job title' } },
  manager: { kind: 'work_profile', label: { zh: '上级', en: 'Manager' } },
  working_hours: { kind: 'work_profile', label: { zh: '工作时间', en: 'Working hours' } },
  team: { kind: 'work_profile', label: { zh: '团队成员', en: 'Team member' } },
  projects: { kind: 'work_profile', label: { zh: '项目', en: 'Project' } },
  responsibilities: { kind: 'work_profile', label: { zh: '职责', en: 'Responsibility' } },
  notes: { kind: 'work_profile' },
};

export function statementsOf({ user_memory = {}, work_profile = {} }: UpdateInput, language: string): Statement[] {
  return [...told(personal, user_memory, language), ...told(work, work_profile, language)];
}

function told(
  tellings: Readonly<Record<string, Telling>>,
  content: Readonly<Record<string, string | string[] | undefined>>,
  language: string,
): Statement[] {
  return Object.entries(tellings).flatMap(([field, { kind, label }]) => {
    const value = content[field];
    const single = typeof value === 'string';
    return (single ? [value] : (value ?? [])).map((text) => ({
      kind,
      content: label ? labelled(inLanguage(label, language), text) : text,
      ...(single && label ? { slot: label } : {}),
    }));
  });
}

export const labelled = (label: string, text: string): string => `${label}: ${text}`;
