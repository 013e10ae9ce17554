import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Order, Reply } from './host.ts';
import type { Place, SetUp } from './set-ups.ts';

/** A set-up that is open in its own process. */
export interface Subject {
  url: string | undefined;
  /** Runs on new threads, one after the other; gives milliseconds of processor time. */
  runs(count: number, prompt: string): Promise<number>;
  /** One run on this thread; gives milliseconds of waiting. */
  turn(threadId: string, prompt: string): Promise<number>;
  toolRuns(): Promise<number>;
  close(): Promise<void>;
}

const QUIET = {
  NODE_ENV: 'production',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
  LANGSMITH_TRACING: 'false',
  MASTRA_TELEMETRY_DISABLED: '1',
};

export async function openSubject(
  { module }: Pick<SetUp, 'module'>,
  place: Place,
  profileFolder?: string,
): Promise<Subject> {
  const profiling = profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : [];
  const child = fork(
    fileURLToPath(new URL('host.ts', import.meta.url)),
    [new URL(module, import.meta.url).href, place.databaseUrl, place.modelUrl],
    { execArgv: profiling, env: { ...process.env, ...QUIET }, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  );
  let complaints = '';
  child.stderr?.on('data', (text) => {
    complaints = `${complaints}${text}`.slice(-2000);
  });
  const gone = once(child, 'exit').then(() => ({
    error: `its process ended: ${complaints.trim() || 'no reason given'}`,
  }));
  const next = async (): Promise<Exclude<Reply, { error: string }>> => {
    const message = once(child, 'message').then(([reply]) => reply as Reply);
    const reply = await Promise.race([message, gone]);
    if ('error' in reply) throw new Error(reply.error);
    return reply;
  };
  const send = async (order: Order): Promise<number> => {
    const answer = next();
    child.send(order);
    const reply = await answer;
    return 'value' in reply ? reply.value : 0;
  };
  const ready = await next();
  return {
    url: 'ready' in ready ? ready.url : undefined,
    runs: (count, prompt) => send({ kind: 'runs', count, prompt }),
    turn: (threadId, prompt) => send({ kind: 'turn', threadId, prompt }),
    toolRuns: () => send({ kind: 'tools' }),
    close: async () => {
      if (child.connected) await send({ kind: 'close' }).catch(() => child.kill());
      await gone;
    },
  };
}
