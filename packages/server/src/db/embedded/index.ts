/** The embedded PostgreSQL: PGlite in a worker thread, behind a Unix socket in KITH_HOME, one server a folder. */
export { type EmbeddedServer, findEmbedded, startEmbedded } from './server.ts';
