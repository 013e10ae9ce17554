import { loadAgentTemplates } from './agents/index.ts';
import { type AutomationSubmission, createAutomation, noticeText } from './automation/index.ts';
import type { Config, Environment } from './config/index.ts';
import type { Database } from './db/index.ts';
import { createStreams, memoryBus, redisEvents, STREAM_LIMITS } from './events/index.ts';
import { createFiles } from './files/index.ts';
import type { Services } from './http/index.ts';
import { createIdentity, createServiceKeys } from './identity/index.ts';
import { createMemory } from './memory/index.ts';
import { createModels } from './models/index.ts';
import type { Log, Metrics } from './observability/index.ts';
import { createRunRoom, memoryQueue, memorySignals, type Runs, redisQueue } from './runs/index.ts';
import { createSessions } from './sessions/index.ts';
import { type Simulator, startSimulator } from './simulator/index.ts';
import { createSkills } from './skills/index.ts';
import { createUsers, settingsOf } from './users/index.ts';

/** What every room may need: given once, passed down. */
export interface Ground {
  config: Config;
  environment: Environment;
  database: Database;
  log: Log;
  metrics: Metrics;
  now?: () => Date;
  /** A vendor simulator that runs already (tests hold its controls); else one is started when nothing else answers. */
  simulator?: { url: string };
}

export interface Rooms extends Services {
  /** For the start-up message: which model answers. */
  model: string;
  /** Begins to take work: runs that a dead process left behind first. */
  start(): Promise<void>;
  /** Stops taking work, lets what is under way end within the grace time, gives the rest back. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** The rooms, each made by its factory, from the bottom up. */
export async function compose(ground: Ground): Promise<Rooms> {
  const { config, environment, database, log, metrics } = ground;
  const now = ground.now ?? (() => new Date());
  const stack = new AsyncDisposableStack();
  try {
    const serviceKeys = createServiceKeys(database);
    const identity = createIdentity({ auth: config.auth, serviceKeys });
    const users = createUsers({ database, log, config });
    const sessions = createSessions(database);
    const templates = loadAgentTemplates(config.agents.folder);
    const models = await createModels({
      database,
      log,
      metrics,
      config,
      environment,
      stages: templates.models,
      clock: now,
      simulator: async () => ground.simulator ?? stack.adopt(await startOwnSimulator(config), (own) => own.close()),
    });
    stack.defer(() => models.close());
    const memory = createMemory({ config: config.memory, database, models, log, now });
    stack.defer(() => memory.close());
    const files = await createFiles({ database, config, log, environment });
    stack.defer(() => files.close());
    const skills = await createSkills({ config, log, memory, files });
    stack.defer(() => skills.close());
    const wires = await openWires(config, log);
    stack.defer(() => wires.bus.close());
    const streams = createStreams({
      sql: database.sql,
      bus: wires.bus,
      log,
      limits: { ...STREAM_LIMITS, maxReaderBacklog: config.events.maxReaderBacklogBytes },
    });
    stack.defer(() => streams.close());
    const runs = createRunRoom({
      config,
      database,
      log,
      metrics,
      ...wires,
      users,
      models,
      skills,
      memory,
      files,
      templates,
      now,
      onRunFinished: (run) => automation.onRunFinished(run),
    });
    const preferencesOf = async (userId: string) => settingsOf(await users.contextOf(userId)).preferences;
    const automation = createAutomation({
      database,
      log,
      config: config.automation,
      clock: now,
      timezoneOf: async (userId) => (await preferencesOf(userId)).timezone,
      submit: (request) => submitAutomation(runs, request),
      afterCommit: () => runs.lookAgain(),
      notify: async (notice) => {
        const { ai_language } = await preferencesOf(notice.userId);
        await sessions.tell(notice.userId, notice.threadId, noticeText(notice, ai_language));
      },
    });
    return {
      identity,
      users,
      sessions,
      models,
      memory,
      files,
      skills,
      streams,
      runs,
      automation,
      database,
      config,
      metrics,
      serviceKeys,
      model: models.modelFor('TASK_EXECUTION') ?? 'none',
      async start() {
        await runs.start();
        if (config.roles.includes('scheduler')) automation.start();
      },
      async drain() {
        await automation.stop();
        await runs.stop();
      },
      close: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** A job's run: in its own mode, with its own skills and context, kept together with the note that its time was served. */
async function submitAutomation(runs: Runs, request: AutomationSubmission): Promise<{ status: string }> {
  const messages = request.context?.['messages'];
  return runs.submit({
    userId: request.userId,
    mode: 'automation',
    policy: request.policy,
    enabledSkills: request.enabledSkills,
    contextMessages: typeof messages === 'number' ? messages : undefined,
    transaction: request.sql,
    input: { threadId: request.threadId, runId: request.runId, messages: [{ role: 'user', content: request.prompt }] },
  });
}

function startOwnSimulator(config: Config): Promise<Simulator> {
  const { latencyMilliseconds, chunkDelayMilliseconds } = config.models.simulator;
  return startSimulator({
    keepRequests: 0,
    latency: { latencyMs: latencyMilliseconds, chunkDelayMs: chunkDelayMilliseconds },
  });
}

/** How processes talk to each other: in this one only, or through Redis. */
async function openWires(config: Config, log: Log) {
  const { url } = config.redis;
  const onError = (error: unknown) => log.warn({ err: error }, 'Redis or the queue has a problem');
  if (!url) return { bus: memoryBus(), queue: memoryQueue(onError), signals: memorySignals() };
  const [{ redisBus }, { bullQueue, redisSignals }] = await Promise.all([redisEvents(), redisQueue()]);
  return { bus: redisBus({ url, onError }), queue: bullQueue(url, onError), signals: redisSignals(url, onError) };
}
