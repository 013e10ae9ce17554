import { type Automation, AutomationInput, AutomationRun, type AutomationRunPage, Problem } from '@kith/protocol';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Automation as Automations, createAutomation } from '../../automation/index.ts';
import { errors, fieldErrorsOf } from '../../errors/index.ts';
import { createLog } from '../../observability/index.ts';
import { createUsers, settingsOf } from '../../users/index.ts';
import type { Cli } from '../cli.ts';
import type { AddCommand } from './index.ts';

export const automationsCommand: AddCommand = (program, cli) => {
  const group = program.command('automations').description('work that runs by itself, on a schedule');
  const command = (usage: string, description: string) =>
    group.command(usage).description(description).option('--user <id>', 'whose automations', 'dev');
  addReading(command, cli);
  addMaking(command, cli);
  addChanging(command, cli);
};

type MakeCommand = (usage: string, description: string) => Command;
interface UserOption {
  user: string;
}

function addReading(command: MakeCommand, cli: Cli): void {
  const say = words[cli.language];
  command('list', 'all automations, newest first').action(({ user }: UserOption) =>
    withAutomations(cli, async (automations) => {
      const found = await automations.list(user);
      cli.print(found, found.automations.map(lineOf).join('\n') || say.none);
    }),
  );
  command('show <id>', 'one automation').action((id: string, { user }: UserOption) =>
    withAutomations(cli, async (automations) => {
      const job = await automations.get(user, id);
      cli.print(
        job,
        [lineOf(job), `  ${job.prompt}`, ...(job.last_error ? [`  ${say.error} ${job.last_error}`] : [])].join('\n'),
      );
    }),
  );
  command('runs <id>', 'due times and what became of them').action((id: string, { user }: UserOption) =>
    withAutomations(cli, async (automations) => {
      const page = await automations.runs(user, id);
      cli.print(page, page.runs.map(runLine).join('\n') || say.noRuns);
    }),
  );
}

function addMaking(command: MakeCommand, cli: Cli): void {
  const say = words[cli.language];
  command('add <name> <prompt>', 'make an automation')
    .addOption(
      new Option('--cron <expression>', 'minute hour day month weekday, e.g. "0 9 * * 1-5"').conflicts(['every', 'at']),
    )
    .addOption(new Option('--every <time>', 'an interval: 90m, 12h, 7d').argParser(secondsOf).conflicts(['cron', 'at']))
    .addOption(
      new Option('--at <time>', 'once, e.g. 2026-12-01T09:00 (local) or with an offset').conflicts(['cron', 'every']),
    )
    .option('--timezone <zone>', 'another zone than the user’s own, e.g. Asia/Shanghai')
    .option('--skills <names>', 'the skills it may use, comma separated')
    .option('--context <n>', 'how many of its thread’s newest messages it sees', Number)
    .addOption(new Option('--missed <policy>', 'due times that were missed').choices(['skip', 'run_once', 'run_all']))
    .addOption(new Option('--overlap <policy>', 'due while it runs').choices(['skip', 'enqueue', 'interrupt']))
    .action((name: string, prompt: string, options: AddOptions) =>
      withAutomations(cli, async (automations) => {
        const job = await automations.create(options.user, checked({ ...inputOf(options), name, prompt }));
        cli.print(job, `${say.added} ${lineOf(job)}`);
      }),
    );
}

function addChanging(command: MakeCommand, cli: Cli): void {
  const say = words[cli.language];
  for (const action of ['pause', 'resume'] as const) {
    command(`${action} <id>`, `${action} it`).action((id: string, { user }: UserOption) =>
      withAutomations(cli, async (automations) => {
        const job = await automations[action](user, id);
        cli.print(job, lineOf(job));
      }),
    );
  }
  command('remove <id>', 'delete it').action((id: string, { user }: UserOption) =>
    withAutomations(cli, async (automations) => {
      await automations.delete(user, id);
      cli.print({ id, removed: true }, `${say.removed} ${id}`);
    }),
  );
  command('run <id>', 'run it now, on the server of this configuration')
    .option('--url <url>', 'another running server')
    .action(async (id: string, { user, url }: UserOption & { url?: string }) => {
      const run = await runOnServer(cli, url ?? serverUrl(cli), user, id);
      cli.print(run, `${say.started} ${run.thread_id} ${run.run_id ?? ''}`);
    });
}

const words = {
  en: {
    none: 'There are no automations. `kith automations add <name> <prompt> --cron "0 9 * * *"` makes one.',
    noRuns: 'It has not been due yet.',
    added: 'Added',
    removed: 'Removed',
    started: 'Started',
    error: 'Last error:',
  },
  zh: {
    none: '还没有自动化任务。用 `kith automations add <名称> <提示词> --cron "0 9 * * *"` 创建。',
    noRuns: '还没有到期过。',
    added: '已添加',
    removed: '已删除',
    started: '已开始',
    error: '最近的错误:',
  },
} as const;

interface AddOptions extends UserOption {
  cron?: string;
  every?: number;
  at?: string;
  timezone?: string;
  skills?: string;
  context?: number;
  missed?: string;
  overlap?: string;
}

function inputOf({ cron, every, at, timezone, skills, context, missed, overlap }: AddOptions) {
  const schedule = [
    ...(cron === undefined ? [] : [{ type: 'cron', expression: cron }]),
    ...(every === undefined ? [] : [{ type: 'interval', seconds: every }]),
    ...(at === undefined ? [] : [{ type: 'once', at }]),
  ];
  return {
    schedule: schedule[0],
    timezone,
    config: {
      ...(skills === undefined ? {} : { enabled_skills: skills.split(',').map((skill) => skill.trim()) }),
      ...(context === undefined ? {} : { context: { messages: context } }),
    },
    ...(missed === undefined ? {} : { missed_policy: missed }),
    ...(overlap === undefined ? {} : { overlap_policy: overlap }),
  };
}

function checked(value: unknown): AutomationInput {
  const parsed = AutomationInput.safeParse(value);
  if (parsed.success) return parsed.data;
  const [fault] = fieldErrorsOf(parsed.error);
  throw errors.REQUEST_INVALID({ detail: `${fault?.field}: ${fault?.message}` });
}

const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

function secondsOf(text: string): number {
  const [, count, unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(text) ?? [];
  if (!count) throw new InvalidArgumentError('expected a time such as 90m, 12h or 7d');
  return Number(count) * (units[unit] ?? 1);
}

/** On the database itself: a server need not run. Only starting a run is a server's work. */
async function withAutomations(cli: Cli, work: (automations: Automations) => Promise<void>): Promise<void> {
  await cli.withDatabase(async (database) => {
    const config = cli.config();
    const log = createLog('silent');
    const users = createUsers({ database, log, config });
    const automations = createAutomation({
      database,
      log,
      config: config.automation,
      clock: () => new Date(),
      timezoneOf: async (userId) => settingsOf(await users.contextOf(userId)).preferences.timezone,
      submit: () => Promise.reject(errors.NOT_READY({ detail: 'runs are started by a server' })),
    });
    await work(automations);
  });
}

const serverUrl = (cli: Cli): string => {
  const { host, port } = cli.config().server;
  return `http://${host}:${port}`;
};

/** `KITH_TOKEN` is a JWT of the user or a service key; without it the server must be in dev auth. */
async function runOnServer(cli: Cli, url: string, user: string, id: string): Promise<AutomationRun> {
  const token = cli.terminal.environment.KITH_TOKEN;
  const headers = new Headers(token ? { authorization: `Bearer ${token}` } : { 'x-user-id': user });
  if (token?.startsWith('ksk_')) headers.set('x-on-behalf-of', user);
  const path = `/api/v1/automations/${encodeURIComponent(id)}/run`;
  const response = await fetch(new URL(path, url), { method: 'POST', headers }).catch((error: unknown) => {
    throw errors.NOT_READY({ detail: `no server answers at ${url}; \`kith start\` starts one` }, error);
  });
  const body: unknown = await response.json();
  if (response.ok) return AutomationRun.parse(body);
  const { title, detail } = Problem.parse(body);
  throw errors.REQUEST_INVALID({ detail: detail ?? title });
}

const lineOf = (job: Automation): string =>
  [
    job.id,
    (job.paused_by === 'failures' ? 'failing' : job.status).padEnd(8),
    (job.next_due_at ?? '-').padEnd(24),
    scheduleText(job).padEnd(24),
    job.name,
  ].join('  ');

function scheduleText({ schedule, timezone }: Automation): string {
  if (schedule.type === 'cron') return `${schedule.expression} ${timezone}`;
  return schedule.type === 'interval' ? `every ${schedule.seconds} s` : `once`;
}

const runLine = (run: AutomationRunPage['runs'][number]): string =>
  [run.due_at, run.outcome.padEnd(9), run.run_id ?? '-', run.reason ?? ''].join('  ').trimEnd();
