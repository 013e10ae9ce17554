import { index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

export const profiles = pgTable(
  'profiles',
  {
    userId: text('user_id').primaryKey(),
    username: text('username').notNull(),
    displayName: text('display_name').notNull(),
    bio: text('bio'),
    email: text('email'),
    department: text('department'),
    role: text('role'),
    customFields: jsonb('custom_fields').notNull().default({}),
    settings: jsonb('settings').notNull().default({ version: 2 }),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [index('profiles_username').using('hash', table.username)],
);

export const serviceKeys = pgTable('service_keys', {
  id: uuid('id').primaryKey().defaultRandom(),
  label: text('label').notNull(),
  prefix: text('prefix').notNull(),
  hash: text('hash').notNull(),
  role: text('role').notNull().default('user'),
  createdAt: instant('created_at').notNull().defaultNow(),
  revokedAt: instant('revoked_at'),
});
