import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { displayToolName, KithEvent, RunAccepted } from '@kith/protocol';
import { createParser } from 'eventsource-parser';
import { errors } from '../../errors/index.ts';
import { startKith } from '../../main.ts';
import type { Cli } from '../cli.ts';
import type { Language } from '../terminal.ts';
import type { AddCommand } from './index.ts';

interface ChatOptions {
  user: string;
  thread?: string;
  url?: string;
}

const words = {
  zh: {
    you: '你',
    approve: (tool: string) => `要执行「${tool}」吗？(y/n) `,
    failed: '出错了',
    hint: '输入消息，空行或 Ctrl-D 结束。',
  },
  en: {
    you: 'you',
    approve: (tool: string) => `Run "${tool}"? (y/n) `,
    failed: 'failed',
    hint: 'Type a message; an empty line or Ctrl-D ends.',
  },
} as const;

export const chatCommand: AddCommand = (program, cli) => {
  program
    .command('chat')
    .description('talk to the agent in the terminal')
    .option('--user <id>', 'who is talking', 'dev')
    .option('--thread <id>', 'go on with this conversation')
    .option('--url <url>', 'a running server (default: the one of this configuration, or one for the moment)')
    .action(async (options: ChatOptions) => {
      await using stack = new AsyncDisposableStack();
      const url = options.url ?? (await findOrStart(cli, stack));
      await converse(cli, { url, userId: options.user, threadId: options.thread ?? randomUUID() });
    });
};

/** The server of this configuration where it runs, else one of our own on a free port until the talk is over. */
async function findOrStart(cli: Cli, stack: AsyncDisposableStack): Promise<string> {
  const { server } = cli.config();
  const running = `http://${server.host}:${server.port}`;
  const isThere = await fetch(`${running}/healthz`).then(
    (response) => response.ok,
    () => false,
  );
  if (isThere) return running;
  const kith = await startKith(cli.config({ PORT: '0', KITH_LOG_LEVEL: 'error' }));
  stack.defer(() => kith.close());
  if (!kith.url) throw errors.NOT_READY({ detail: 'the configuration leaves out the api role' });
  return kith.url;
}

interface Talk {
  url: string;
  userId: string;
  threadId: string;
}

async function converse(cli: Cli, talk: Talk): Promise<void> {
  const { terminal, language } = cli;
  const isTerminal = terminal.input.isTTY === true;
  if (isTerminal) terminal.complain(`${words[language].hint}\n`);
  const prompt = () => isTerminal && terminal.complain(`${words[language].you}> `);
  const lines = createInterface({ input: terminal.input })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const line = await lines.next();
    return line.done ? undefined : line.value.trim();
  };
  prompt();
  for (let line = await nextLine(); line; line = await nextLine()) {
    await say(cli, talk, line, nextLine);
    prompt();
  }
}

/** Sends one message and prints what comes back; asks where the run waits for a word. */
async function say(cli: Cli, talk: Talk, message: string, nextLine: () => Promise<string | undefined>): Promise<void> {
  const runId = randomUUID();
  const input = { threadId: talk.threadId, runId, messages: [{ id: randomUUID(), role: 'user', content: message }] };
  RunAccepted.parse(await post(talk, '/api/v1/agent/runs', input));
  let cursor: string | undefined;
  for (;;) {
    const end = await follow(cli, talk, runId, cursor);
    cursor = end.cursor;
    if (end.interrupts.length === 0) return;
    for (const { id, tool } of end.interrupts) {
      cli.terminal.complain(words[cli.language].approve(displayToolName(tool, cli.language)));
      const approved = /^(y|yes|是|好|同意)$/i.test((await nextLine()) ?? '');
      await post(
        talk,
        `/api/v1/agent/runs/${encodeURIComponent(talk.threadId)}/tool-calls/${encodeURIComponent(id)}/decision`,
        { approved },
      );
    }
  }
}

/** Reads the run's events to its end, taking the stream up again wherever it breaks. */
async function follow(cli: Cli, talk: Talk, runId: string, from: string | undefined) {
  let cursor = from;
  let terminal: KithEvent | undefined;
  const { terminal: out, language } = cli;
  while (!terminal) {
    const path = `/api/v1/agent/runs/${encodeURIComponent(talk.threadId)}/events?runId=${runId}`;
    const response = await fetch(`${talk.url}${path}`, {
      headers: { 'x-user-id': talk.userId, ...(cursor ? { 'last-event-id': cursor } : {}) },
    });
    if (!response.ok || !response.body) throw await problemOf(response);
    const parser = createParser({
      onEvent: ({ id, data }) => {
        cursor = id ?? cursor;
        const event = KithEvent.parse(JSON.parse(data));
        print(out, event, language);
        if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') terminal = event;
      },
    });
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) parser.feed(chunk);
  }
  const outcome = terminal.type === 'RUN_FINISHED' ? terminal.outcome : undefined;
  const interrupts = outcome?.type === 'interrupt' ? outcome.interrupts : [];
  return { cursor, interrupts: interrupts.map((interrupt) => ({ id: interrupt.id, tool: interrupt.message ?? '' })) };
}

function print(terminal: Cli['terminal'], event: KithEvent, language: Language): void {
  if (event.type === 'TEXT_MESSAGE_CONTENT') terminal.write(event.delta);
  if (event.type === 'TEXT_MESSAGE_END') terminal.write('\n');
  if (event.type === 'TOOL_CALL_RESULT') {
    terminal.complain(
      `· ${displayToolName(event.tool_name, language)} ${event.status === 'success' ? '✓' : event.status}\n`,
    );
  }
  if (event.type === 'RUN_ERROR') terminal.complain(`${words[language].failed}: ${event.code ?? event.message}\n`);
}

async function post(talk: Talk, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${talk.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-user-id': talk.userId },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

async function problemOf(response: Response): Promise<Error> {
  const problem: unknown = await response.json().catch(() => undefined);
  const detail =
    typeof problem === 'object' && problem !== null && 'title' in problem ? String(problem.title) : response.statusText;
  return errors.REQUEST_INVALID({ detail: `${response.status} ${detail}` });
}
