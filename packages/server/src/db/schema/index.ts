/** Drizzle's view of the tables that ordinary queries use; the SQL migrations are the truth, and a test compares the two. */
export * from './models.ts';
export * from './users.ts';
