export type Language = 'zh' | 'en';

export const LOCALES = { zh: 'zh-CN', en: 'en' } as const satisfies Record<Language, string>;
