import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres-server.ts';

export default async function setup(project: TestProject) {
  const server = await startPostgres();
  project.provide('databaseKind', 'postgres');
  project.provide('serverUrl', server.url);
  return server.stop;
}
