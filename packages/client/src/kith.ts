import { createHttp, type KithOptions } from './http.ts';
import * as resources from './resources.ts';
import { createRuns, type Runs } from './runs.ts';

/** A server, from the side of one user. */
export interface KithClient {
  runs: Runs;
  chat: resources.Chat;
  sessions: resources.Sessions;
  history: resources.History;
  profile: resources.Profile;
  settings: resources.Settings;
  memories: resources.Memories;
  files: resources.Files;
}

export function createKith(options: KithOptions): KithClient {
  const http = createHttp(options);
  return {
    runs: createRuns(http),
    chat: resources.createChat(http),
    sessions: resources.createSessions(http),
    history: resources.createHistory(http),
    profile: resources.createProfile(http),
    settings: resources.createSettings(http),
    memories: resources.createMemories(http),
    files: resources.createFiles(http),
  };
}
