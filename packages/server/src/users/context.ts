import { JsonObject, type ProfileSettingsV2, UserAgentContext, type UserContextRequest } from '@kith/protocol';
import type { Config } from '../config/index.ts';
import type { Database } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import type { Log } from '../observability/index.ts';
import { hiding, withoutDomain } from './address.ts';
import { createProfileStore, type ProfileRow, type ProfileStore } from './profile-store.ts';
import { readableFields, readableText } from './readable.ts';
import { defaultSettings, readStoredSettings, upgradeToLatest } from './settings.ts';

export interface Users {
  profiles: ProfileStore;
  /** Reads the profile and makes the context. `cached` is what the session remembers, for when the store fails. */
  contextOf(userId: string, cached?: unknown): Promise<UserAgentContext>;
  /** For whoever has read the row of `profiles` already. */
  contextFrom(userId: string, row: ProfileRow | undefined): UserAgentContext;
  /** The `user_context` of a chat request: what it says stands over the profile, for that session. */
  contextFromRequest(callerId: string, request: UserContextRequest): Promise<UserAgentContext>;
}

export interface UsersOptions {
  database: Pick<Database, 'orm'>;
  log: Log;
  config: Pick<Config, 'settings'>;
}

export function createUsers({ database, log, config }: UsersOptions): Users {
  return usersOn(createProfileStore({ database, log, lazyUpgrade: config.settings.lazyUpgrade }), log);
}

/** The same on any profile store. */
export function usersOn(profiles: ProfileStore, log: Log): Users {
  return {
    profiles,
    contextOf: (userId, cached) => getUserAgentContext({ profiles, log }, userId, cached),
    contextFrom: (userId, row) =>
      contextFrom(userId, row, {
        onFault: (fault) => log.warn({ err: fault, userId }, 'stored settings cannot be read'),
      }),
    contextFromRequest: async (callerId, request) => {
      if (request.user_id !== callerId) throw errors.NOT_YOUR_DATA();
      const profile = await profiles.get(callerId).catch((error) => {
        log.error({ err: error, userId: callerId }, 'the profile store failed; only what the request says is known');
        return undefined;
      });
      return contextOverProfile(callerId, profile, request);
    },
  };
}

/** The documents' one entry: the conversation goes on with what the session remembers when the store fails. */
export async function getUserAgentContext(
  { profiles, log }: { profiles: Pick<ProfileStore, 'get'>; log: Log },
  userId: string,
  cached?: unknown,
): Promise<UserAgentContext> {
  try {
    return contextFrom(userId, await profiles.get(userId));
  } catch (error) {
    log.error({ err: error, userId }, 'the profile store failed; the conversation goes on without it');
    return contextFrom(userId, rememberedRow(userId, cached));
  }
}

/** The only maker of a context: what an agent may know of the user, within bounds, deeply frozen. */
export function contextFrom(
  userId: string,
  row: ProfileRow | undefined,
  { alsoHidden, onFault }: { alsoHidden?: string | null | undefined; onFault?: (fault: unknown) => void } = {},
): UserAgentContext {
  if (!row) return deepFrozen({ user_id: userId, is_anonymous: true });
  const hide = hiding([row.email, alsoHidden]);
  const textOf = (value: string | null) => readableText(hide(value ?? '')) || undefined;
  const nameOf = (value: string) => textOf(withoutDomain(value));
  const customFields = readableFields(JsonObject.catch({}).parse(row.custom_fields), hide);
  const told = {
    display_name: nameOf(row.display_name),
    bio: textOf(row.bio),
    department: textOf(row.department),
    role: textOf(row.role),
    custom_fields: Object.keys(customFields).length > 0 ? customFields : undefined,
  };
  return deepFrozen({
    user_id: userId,
    username: nameOf(row.username) ?? withoutDomain(userId),
    ...Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined)),
    settings: readStoredSettings(row.settings, onFault),
  });
}

function contextOverProfile(userId: string, profile: ProfileRow | undefined, request: UserContextRequest) {
  const { user_id: _, email, ...rest } = request;
  const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== undefined));
  if (!profile && Object.keys(said).length === 0) return contextFrom(userId, undefined);
  const stranger = { ...nobody, username: userId, display_name: request.username ?? userId };
  return contextFrom(userId, { ...(profile ?? stranger), ...said }, { alsoHidden: email });
}

const nobody = { bio: null, email: null, department: null, role: null, custom_fields: {}, settings: { version: 2 } };

/** A context that the session kept, as the row it was made from; nothing, if it is damaged or someone else's. */
function rememberedRow(userId: string, cached: unknown): ProfileRow | undefined {
  const { success, data: context } = UserAgentContext.safeParse(cached);
  if (!success || context.user_id !== userId || context.is_anonymous) return undefined;
  return { ...nobody, display_name: '', ...context };
}

/** The user's settings in the latest version; the defaults for someone who has no profile. */
export function settingsOf(context: UserAgentContext): ProfileSettingsV2 {
  return context.is_anonymous ? defaultSettings() : upgradeToLatest(context.settings);
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFrozen(inner);
    Object.freeze(value);
  }
  return value;
}
