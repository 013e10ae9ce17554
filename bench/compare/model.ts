import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface BenchModel {
  url: string;
  /** How many calls were answered so far. */
  calls(): Promise<number>;
  stop(): void;
}

export async function startModel(): Promise<BenchModel> {
  const child = fork(fileURLToPath(new URL('model-server.ts', import.meta.url)));
  const [url] = await once(child, 'message');
  return {
    url: String(url),
    calls: async () => {
      const answer = once(child, 'message');
      child.send('calls');
      return Number((await answer)[0]);
    },
    stop: () => child.kill(),
  };
}
