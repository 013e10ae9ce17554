import {
  JsonObject,
  type ProfileInput,
  type ProfilePatch,
  type ProfileSettings,
  UserId,
  type UserPage,
  type UserProfile,
  type UserQuery,
} from '@kith/protocol';
import { and, asc, DrizzleQueryError, eq, getTableColumns, gt, ilike, or, sql } from 'drizzle-orm';
import { type Database, tables } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import type { Log } from '../observability/index.ts';
import {
  defaultSettings,
  parseProfileSettings,
  patchSettings,
  readStoredSettings,
  upgradeToLatest,
  withinProfile,
} from './settings.ts';

/** What people say of themselves, one profile a user. */
export interface ProfileStore {
  get(userId: string): Promise<UserProfile | undefined>;
  /** Creates the profile or replaces all of it. */
  put(userId: string, input: ProfileInput): Promise<{ profile: UserProfile; created: boolean }>;
  /** Changes the named fields; throws where there is no profile. */
  patch(userId: string, patch: ProfilePatch): Promise<UserProfile>;
  /** Changes the named settings; someone without a profile gets one, with the user id for a name. */
  patchSettings(userId: string, patch: unknown): Promise<ProfileSettings>;
  /** Whether there was one. */
  delete(userId: string): Promise<boolean>;
  /** For administrators: everyone who has a profile, by user id. */
  list(query: UserQuery): Promise<UserPage>;
}

/** A row of the table as SQL gives it, its documents not looked into yet. */
export interface ProfileRow {
  username: string;
  display_name: string;
  bio: string | null;
  email: string | null;
  department: string | null;
  role: string | null;
  custom_fields: unknown;
  settings: unknown;
}

const { profiles } = tables;
type StoredProfile = typeof profiles.$inferSelect;
const summary = {
  user_id: profiles.userId,
  username: profiles.username,
  display_name: profiles.displayName,
  department: profiles.department,
  role: profiles.role,
  created_at: profiles.createdAt,
  updated_at: profiles.updatedAt,
};

export interface ProfileStoreOptions {
  database: Pick<Database, 'orm'>;
  log: Log;
  /** Settings keep the version that they were written in, until they need a newer one. */
  lazyUpgrade: boolean;
}

export function createProfileStore({ database: { orm }, log, lazyUpgrade }: ProfileStoreOptions): ProfileStore {
  const written = (settings: ProfileSettings) => (lazyUpgrade ? settings : upgradeToLatest(settings));

  const readSettings = (userId: string, stored: unknown) =>
    readStoredSettings(stored, (fault) => log.warn({ err: fault, userId }, 'stored settings cannot be read'));

  const shown = (row: StoredProfile): UserProfile => ({
    user_id: row.userId,
    username: row.username,
    display_name: row.displayName,
    bio: row.bio,
    email: row.email,
    department: row.department,
    role: row.role,
    custom_fields: JsonObject.catch({}).parse(row.customFields),
    settings: readSettings(row.userId, row.settings),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  });

  /** Reads the row under its lock and writes what `changes` makes of it, so that no two patches undo each other. */
  const change = (userId: string, canCreate: boolean, changes: (row: StoredProfile) => Partial<StoredProfile>) =>
    orm.transaction(async (transaction) => {
      const newcomer = { userId, username: userId, displayName: userId, settings: defaultSettings() };
      if (canCreate) await transaction.insert(profiles).values(newcomer).onConflictDoNothing();
      const [row] = await transaction.select().from(profiles).where(eq(profiles.userId, userId)).for('update');
      if (!row) throw errors.PROFILE_NOT_FOUND();
      const values = { ...changes(row), updatedAt: sql`now()` };
      const [changed] = await transaction.update(profiles).set(values).where(eq(profiles.userId, userId)).returning();
      return shown(changed ?? row);
    });

  return {
    get: async (userId) => {
      const [row] = await withoutParameters(orm.select().from(profiles).where(eq(profiles.userId, userId)));
      return row && shown(row);
    },

    put: async (userId, input) => {
      const settings = input.settings ? withinProfile(() => parseProfileSettings(input.settings)) : defaultSettings();
      const values = {
        username: input.username,
        displayName: input.display_name ?? input.username,
        bio: input.bio ?? null,
        email: input.email ?? null,
        department: input.department ?? null,
        role: input.role ?? null,
        customFields: input.custom_fields ?? {},
        settings: written(settings),
      };
      const statement = orm
        .insert(profiles)
        .values({ userId, ...values })
        .onConflictDoUpdate({ target: profiles.userId, set: { ...values, updatedAt: sql`now()` } })
        // A row version that replaces another carries the transaction that locked the former.
        .returning({ ...getTableColumns(profiles), created: sql<boolean>`xmax = 0` });
      const [row] = await withoutParameters(statement);
      if (!row) throw errors.INTERNAL();
      return { profile: shown(row), created: row.created };
    },

    patch: (userId, { settings, ...fields }) => {
      const changedSettings = (row: StoredProfile) =>
        settings === null
          ? defaultSettings()
          : written(withinProfile(() => patchSettings(readSettings(userId, row.settings), settings)));
      const changes = (row: StoredProfile) => ({
        ...changedColumns(fields, row),
        ...(settings !== undefined && { settings: changedSettings(row) }),
      });
      return withoutParameters(change(userId, false, changes));
    },

    patchSettings: async (userId, patch) => {
      const changed = change(userId, true, (row) => ({
        settings: written(patchSettings(readSettings(userId, row.settings), patch)),
      }));
      return (await withoutParameters(changed)).settings;
    },

    delete: async (userId) => {
      const statement = orm.delete(profiles).where(eq(profiles.userId, userId)).returning({ userId: profiles.userId });
      return (await withoutParameters(statement)).length > 0;
    },

    list: async ({ q, limit, cursor }) => {
      const isWanted = and(q ? mentions(q) : undefined, cursor ? gt(profiles.userId, readCursor(cursor)) : undefined);
      const statement = orm
        .select(summary)
        .from(profiles)
        .where(isWanted)
        .orderBy(asc(profiles.userId))
        .limit(limit + 1);
      const rows = await withoutParameters(statement);
      const users = rows.slice(0, limit).map(({ created_at, updated_at, ...row }) => ({
        ...row,
        created_at: created_at.toISOString(),
        updated_at: updated_at.toISOString(),
      }));
      const last = rows.length > limit ? users.at(-1) : undefined;
      return { users, next_cursor: last ? Buffer.from(last.user_id).toString('base64url') : null };
    },
  };
}

/** The columns that a patch names; null empties one, and a name falls back to the other name. */
function changedColumns(patch: Omit<ProfilePatch, 'settings'>, row: StoredProfile): Partial<StoredProfile> {
  const { username, display_name, bio, email, department, role, custom_fields } = patch;
  return {
    ...(username !== undefined && { username }),
    ...(display_name !== undefined && { displayName: display_name ?? username ?? row.username }),
    ...(bio !== undefined && { bio }),
    ...(email !== undefined && { email }),
    ...(department !== undefined && { department }),
    ...(role !== undefined && { role }),
    ...(custom_fields !== undefined && { customFields: custom_fields ?? {} }),
  };
}

function mentions(q: string) {
  const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  const columns = [profiles.userId, profiles.username, profiles.displayName, profiles.department];
  return or(...columns.map((column) => ilike(column, pattern)));
}

function readCursor(cursor: string): string {
  const { success, data } = UserId.safeParse(Buffer.from(cursor, 'base64url').toString());
  if (!success) throw errors.REQUEST_INVALID({ fields: [{ field: 'cursor', message: 'expected a next_cursor' }] });
  return data;
}

/** Drizzle's own error repeats every parameter, and here those are people's data: they must not reach a log. */
async function withoutParameters<T>(query: PromiseLike<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    throw error instanceof DrizzleQueryError ? error.cause : error;
  }
}
