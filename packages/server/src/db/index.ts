/** PostgreSQL, always: your own server by URL, or the embedded one. One driver, one dialect, one set of migrations. */
export { type Database, type DatabaseAddress, openDatabase, type Sql, type Transaction } from './connection.ts';
export { type EmbeddedServer, findEmbedded, startEmbedded } from './embedded/index.ts';
export { rolledBack } from './rolled-back.ts';
export * as tables from './schema/index.ts';
