import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isKithError } from '../errors/index.ts';
import {
  defaultSettings,
  parseProfileSettings,
  patchSettings,
  readStoredSettings,
  upgradeToLatest,
} from './settings.ts';

const china = { interface_language: 'zh-CN', ai_language: 'zh-CN', timezone: 'Asia/Shanghai', country: 'CN' };
const preferring = (preferences: unknown) => parseProfileSettings({ preferences }).preferences;

/** The fields that a refusal names. */
function faultsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (isKithError(error) && error.code === 'SETTINGS_INVALID') return error.fields.map(({ field }) => field);
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('reading', () => {
  test.each([undefined, null, {}])('settings that nobody wrote (%o) are of version 1, with the defaults', (raw) => {
    expect(parseProfileSettings(raw)).toEqual({ version: 1, preferences: china, privacy: {}, notification: {} });
  });

  test('what is given stands, and the rest is filled in', () => {
    const settings = parseProfileSettings({ version: 2, preferences: { country: 'us' }, safety: { approvals: {} } });
    expect(settings).toEqual({
      version: 2,
      preferences: { ...china, country: 'US' },
      privacy: {},
      notification: {},
      safety: { approvals: {} },
    });
  });

  test.each(['zh-CN', 'en-US', 'zh-TW', 'ja-JP', 'zh', 'yue', 'zh-Hans-CN', 'sr-Latn'])('%s is a language', (tag) => {
    expect(preferring({ ai_language: tag, interface_language: tag })).toMatchObject({ ai_language: tag });
  });
  test.each(['zh_CN', 'EN', 'chn', 'en-us', 'en-UK', 'zh-Abcd', 'zh-CN\n', '', 'zh-CN-x-private', 7, null, ['zh-CN']])(
    '%o is no language',
    (tag) => {
      expect(faultsOf(() => preferring({ ai_language: tag }))).toEqual(['preferences.ai_language']);
      expect(faultsOf(() => preferring({ interface_language: tag }))).toEqual(['preferences.interface_language']);
    },
  );

  test.each([
    'Asia/Shanghai',
    'America/New_York',
    'UTC',
    'Asia/Kolkata',
    'America/Argentina/Buenos_Aires',
    'America/Port-au-Prince',
    'Etc/GMT+8',
    'US/Eastern',
  ])('%s is a time zone', (timezone) => {
    expect(preferring({ timezone })).toMatchObject({ timezone });
  });
  test.each([
    'CST',
    'GMT+8',
    '+08:00',
    'asia/shanghai',
    'Asia/shanghai',
    'Asia/SHANGHAI',
    'Asia/Beijing',
    'SystemV/EST5',
    'Asia/Shanghai\n',
    '../etc/passwd',
    '',
    8,
    null,
  ])('%o is no time zone', (timezone) => {
    expect(faultsOf(() => preferring({ timezone }))).toEqual(['preferences.timezone']);
  });

  test.each([
    ['CN', 'CN'],
    ['US', 'US'],
    ['JP', 'JP'],
    ['GB', 'GB'],
    ['cn', 'CN'],
  ])('%s is a country, kept as %s', (country, kept) => {
    expect(preferring({ country })).toMatchObject({ country: kept });
  });
  test.each(['CHN', 'USA', 'zz', 'UK', 'EU', 'ß', 'ﬁ', 'C', '', 86, null])('%o is no country', (country) => {
    expect(faultsOf(() => preferring({ country }))).toEqual(['preferences.country']);
  });

  test.each([0, 3, -1, 1.5, '1', '2', null, true, {}])('version %o is unknown', (version) => {
    expect(faultsOf(() => parseProfileSettings({ version }))).toEqual(['version']);
  });

  test('an unknown field is refused by its name, at any depth and in its version', () => {
    expect(faultsOf(() => parseProfileSettings({ theme: 'dark' }))).toEqual(['theme']);
    expect(faultsOf(() => parseProfileSettings({ preferences: { color: 'red' } }))).toEqual(['preferences.color']);
    expect(faultsOf(() => parseProfileSettings({ privacy: { a: 1, b: 2 } }))).toEqual(['privacy.a', 'privacy.b']);
    expect(faultsOf(() => parseProfileSettings({ version: 1, safety: {} }))).toEqual(['safety']);
    expect(faultsOf(() => parseProfileSettings({ safety: {} }))).toEqual(['safety']);
  });

  test.each(['settings', 1, true, [], [{}]])('%o is no settings document', (raw) => {
    expect(faultsOf(() => parseProfileSettings(raw))).toHaveLength(1);
  });

  test('every fault is named at once', () => {
    const raw = { version: 2, preferences: { timezone: 'CST', country: 'zz' }, safety: { approvals: { x: 'never' } } };
    expect(faultsOf(() => parseProfileSettings(raw))).toEqual([
      'preferences.timezone',
      'preferences.country',
      'safety.approvals.x',
    ]);
  });

  test('whatever comes in, the answer is settings or SETTINGS_INVALID, and parsing again changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom(...sections), fc.anything())), (raw) => {
        try {
          const settings = parseProfileSettings(raw);
          expect(parseProfileSettings(settings)).toEqual(settings);
        } catch (error) {
          expect(error).toMatchObject({ code: 'SETTINGS_INVALID', status: 400 });
        }
      }),
    );
  });
  const sections = ['version', 'preferences', 'privacy', 'notification', 'safety'];
});

describe('versions', () => {
  test('the first version becomes the latest, and loses nothing', () => {
    const first = parseProfileSettings({ preferences: { timezone: 'UTC' }, privacy: { memory_enabled: false } });
    expect(upgradeToLatest(first)).toEqual({
      version: 2,
      preferences: { ...china, timezone: 'UTC' },
      privacy: { memory_enabled: false },
      notification: {},
      safety: {},
    });
    expect(parseProfileSettings(upgradeToLatest(first))).toEqual(upgradeToLatest(first));
  });

  test('the latest stays as it is', () => {
    const latest = defaultSettings();
    expect(upgradeToLatest(latest)).toBe(latest);
  });

  test('a stored document that cannot be read gives the defaults, and is reported', () => {
    const faults: unknown[] = [];
    expect(readStoredSettings({ version: 99 }, (fault) => faults.push(fault))).toEqual(defaultSettings());
    expect(faults).toHaveLength(1);
  });
});

describe('changing', () => {
  const before = parseProfileSettings({
    version: 2,
    preferences: { timezone: 'UTC', country: 'JP' },
    privacy: { memory_enabled: false },
    safety: { approvals: { 'calendar.delete': 'never', 'calendar.share': 'always' } },
  });

  test('only what is named changes, section by section', () => {
    expect(patchSettings(before, { preferences: { ai_language: 'en-US' } })).toEqual({
      ...before,
      preferences: { ...before.preferences, ai_language: 'en-US' },
    });
    expect(patchSettings(before, {})).toEqual(before);
  });

  test('one approval is added, changed or withdrawn, and the others stay', () => {
    const rules = { 'calendar.share': 'never', 'mcp.files.*': 'always', 'calendar.delete': null };
    const { safety } = upgradeToLatest(patchSettings(before, { safety: { approvals: rules } }));
    expect(safety).toEqual({ approvals: { 'calendar.share': 'never', 'mcp.files.*': 'always' } });
  });

  test('a document grows as new as the change needs, and never older', () => {
    const first = parseProfileSettings({});
    expect(patchSettings(first, { preferences: { country: 'US' } }).version).toBe(1);
    expect(patchSettings(first, { safety: {} }).version).toBe(2);
    expect(patchSettings(first, { version: 2 }).version).toBe(2);
    expect(patchSettings(before, { version: 1, preferences: { country: 'US' } })).toMatchObject({
      version: 2,
      preferences: { country: 'US', timezone: 'UTC' },
      safety: { approvals: { 'calendar.delete': 'never' } },
    });
  });

  test.each([
    [{ preferences: { timezone: 'CST' } }, ['preferences.timezone']],
    [{ preferences: { timezone: null } }, ['preferences.timezone']],
    [{ preferences: null }, ['preferences']],
    [{ preferences: 'zh-CN' }, ['preferences']],
    [{ theme: 'dark' }, ['theme']],
    [{ version: 3 }, ['version']],
    [{ version: 1, safety: {} }, ['safety']],
    [{ safety: { approvals: { 'calendar.delete': 'maybe' } } }, ['safety.approvals.calendar.delete']],
    [{ privacy: { memory_enabled: 'no' } }, ['privacy.memory_enabled']],
    [null, ['settings']],
    [[], ['settings']],
    ['', ['settings']],
  ])('%o is refused by name', (patch, fields) => {
    expect(faultsOf(() => patchSettings(before, patch))).toEqual(fields);
  });

  test('a patch cannot reach into what all objects share', () => {
    const patch: unknown = JSON.parse('{"__proto__":{"polluted":1},"preferences":{"__proto__":{"polluted":1}}}');
    expect(() => patchSettings(before, patch)).toThrow();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
