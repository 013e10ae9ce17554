import { ProfileSettings, type ProfileSettingsV2 } from '@kith/protocol';
import { errors, fieldErrorsOf, isKithError } from '../errors/index.ts';

type Document = Readonly<Record<string, unknown>>;

/** Settings of any version, with defaults filled in. A document that names no version is of the first. */
export function parseProfileSettings(raw: unknown): ProfileSettings {
  const document = raw ?? {};
  const versioned = isDocument(document) ? { version: 1, ...document } : document;
  const parsed = ProfileSettings.safeParse(versioned);
  if (!parsed.success) throw errors.SETTINGS_INVALID({ fields: fieldErrorsOf(parsed.error, 'settings') });
  return parsed.data;
}

/** Settings that arrive inside a profile: there a fault is at `settings.preferences.timezone`. */
export function withinProfile<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isKithError(error)) throw error;
    const fields = error.fields.map(({ field, message }) => ({ field: `settings.${field}`, message }));
    throw errors.SETTINGS_INVALID({ fields });
  }
}

export function upgradeToLatest(settings: ProfileSettings): ProfileSettingsV2 {
  return settings.version === 2 ? settings : { ...settings, version: 2, safety: {} };
}

/** What someone has who never set anything. */
export const defaultSettings = (): ProfileSettingsV2 => upgradeToLatest(parseProfileSettings({}));

/** A stored document. One that a newer or broken program left behind must not lock its user out. */
export function readStoredSettings(stored: unknown, onFault: (fault: unknown) => void = () => {}): ProfileSettings {
  try {
    return parseProfileSettings(stored);
  } catch (fault) {
    onFault(fault);
    return defaultSettings();
  }
}

/**
 * Changes what the patch names and keeps the rest, section by section. The document becomes as new as the patch needs,
 * and never older; `null` withdraws a single approval.
 */
export function patchSettings(current: ProfileSettings, patch: unknown): ProfileSettings {
  if (!isDocument(patch)) {
    throw errors.SETTINGS_INVALID({ fields: [{ field: 'settings', message: 'expected an object' }] });
  }
  const { version = 'safety' in patch ? 2 : 1, ...sections } = patch;
  // By itself the patch must be a document of the version that it claims.
  parseProfileSettings({ ...withoutWithdrawn(sections), version });
  const base = version === 2 ? upgradeToLatest(current) : current;
  return parseProfileSettings(withoutWithdrawn(merge(base, sections)));
}

function merge(base: Document, changes: Document): Document {
  const changed = Object.entries(changes).map(([key, change]) => {
    const before = base[key];
    return [key, isDocument(before) && isDocument(change) ? merge(before, change) : change];
  });
  return { ...base, ...Object.fromEntries(changed) };
}

function withoutWithdrawn(sections: Document): Document {
  const { safety } = sections;
  if (!isDocument(safety) || !isDocument(safety.approvals)) return sections;
  const kept = Object.entries(safety.approvals).filter(([, rule]) => rule !== null);
  return { ...sections, safety: { ...safety, approvals: Object.fromEntries(kept) } };
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
