import type { ToolError, ToolOutput } from '@kith/protocol';
import type { Config } from '../config/index.ts';
import { isKithError } from '../errors/index.ts';
import type { Log } from '../observability/index.ts';
import { builtInModules, type Rooms } from './built-in.ts';
import { cardsOf } from './cards.ts';
import { SkillFailure } from './failures.ts';
import { readInput } from './input.ts';
import type { SkillModule } from './module.ts';
import { approvalRule, fullName, isEnabled } from './names.ts';
import { failed } from './output.ts';
import type { CallContext, SkillMethod, Skills } from './port.ts';
import { userModules } from './user-skills.ts';

export interface SkillsOptions extends Rooms {
  config: Pick<Config, 'skills'>;
  log: Log;
  /** How long the start waits for MCP servers; those that take longer join when they are ready. */
  patienceMs?: number;
}

const PATIENCE_MS = 5000;

/** Every skill: our own, those of `skills.folder`, and the tools of MCP servers. */
export async function createSkills(options: SkillsOptions): Promise<Skills> {
  const { config, log, patienceMs = PATIENCE_MS } = options;
  const servers = await mcpModules(config.skills.mcp, log);
  const modules = [...builtInModules(options), ...userModules(config.skills.folder), ...servers];
  for (const module of modules) {
    const error = module.source === 'folder' ? module.error() : undefined;
    if (error) log.warn({ skill: module.name, reason: error }, 'a skill folder is left out');
  }
  const patience = AbortSignal.timeout(patienceMs);
  await Promise.allSettled(servers.map((server) => server.prepare?.(patience)));
  return skillsOf(modules, log);
}

/** The protocol's library is loaded where there is a server to talk to. */
async function mcpModules(servers: Config['skills']['mcp'], log: Log): Promise<SkillModule[]> {
  const named = Object.entries(servers);
  if (named.length === 0) return [];
  const { mcpModule } = await import('./mcp/mcp-module.ts');
  return named.map(([name, server]) => mcpModule(name, server, log));
}

function skillsOf(modules: readonly SkillModule[], log: Log): Skills {
  // A folder that took the name of another skill is listed with its error; the name stays with the other.
  const byName = new Map(modules.toReversed().map((module) => [module.name, module]));
  const find = (module: string, method: string): SkillMethod | undefined =>
    byName
      .get(module)
      ?.methods()
      .find((known) => known.method.method === method)?.method;

  const resolve = async (
    { module, method }: { module: string; method: string },
    signal: AbortSignal,
    enabled: readonly string[] | undefined,
  ): Promise<SkillMethod> => {
    const known = byName.get(module);
    if (!known) {
      const names = modules.filter((other) => isShown(other, enabled)).map(({ name }) => name);
      throw new SkillFailure('SKILL_UNKNOWN', 'module', { module, known: names.join(', ') });
    }
    if (!isEnabled(enabled, module, method)) {
      throw new SkillFailure('SKILL_NOT_ENABLED', undefined, { name: fullName(module, method) });
    }
    if (!find(module, method) && known.error()) {
      if (!known.prepare) throw new SkillFailure('SKILL_UNAVAILABLE', undefined, { module });
      await known.prepare(signal);
    }
    const found = find(module, method);
    if (!found) {
      const names = known.methods().map((other) => other.method.method);
      throw new SkillFailure('METHOD_UNKNOWN', 'method', { module, method, known: names.join(', ') });
    }
    return found;
  };

  return {
    list: () =>
      modules.map((module) => {
        const error = module.error();
        return {
          module: module.name,
          description: module.description(),
          source: module.source,
          methods: module.methods().map(({ method, names, card }) => ({
            method: method.method,
            name: names,
            approval: method.approval,
            effect: method.effect,
            card,
          })),
          ...(error ? { error } : {}),
        };
      }),
    find,
    cards: (enabled) => cardsOf(modules, enabled),
    needsApproval({ module, method }, user) {
      const rule = approvalRule(user, fullName(module, method));
      if (rule) return rule === 'always';
      // A tool from outside that is not known yet may turn out to be there when it is called.
      return find(module, method)?.approval ?? byName.get(module)?.source === 'mcp';
    },
    async call(args, context, enabled): Promise<ToolOutput> {
      try {
        context.signal.throwIfAborted();
        const method = await resolve(args, context.signal, enabled);
        return await runMethod(method, readInput(method.input, args.input, context.language), context);
      } catch (error) {
        return failed(errorOf(error, args, context, log));
      }
    },
    async close() {
      await Promise.all(modules.map((module) => module.close?.()));
    },
  };
}

/** Our own methods change our own database, and only within the caller's transaction. */
function runMethod(method: SkillMethod, input: unknown, context: CallContext): Promise<ToolOutput> {
  if (method.effect === 'outside') return method.run(input, context);
  if (!context.sql) throw new Error(`${method.module}.${method.method} needs a transaction`);
  return method.run(input, { ...context, sql: context.sql });
}

const isShown = (module: SkillModule, enabled: readonly string[] | undefined): boolean =>
  module.methods().some(({ method }) => isEnabled(enabled, module.name, method.method));

/** What a model and its user may know of an error: what they can act on, and nothing of the inside. */
function errorOf(
  error: unknown,
  { module, method }: { module: string; method: string },
  { language, signal, runId }: CallContext,
  log: Log,
): ToolError {
  if (error instanceof SkillFailure) return error.toToolError(language);
  if (signal.aborted) return new SkillFailure('CANCELED').toToolError(language);
  if (isKithError(error) && error.status < 500) {
    const own = SkillFailure.ofCode(error.code);
    return own ? own.toToolError(language) : { code: error.code, message: error.message };
  }
  log.error({ err: error, module, method, runId }, 'a skill failed');
  return new SkillFailure('INTERNAL').toToolError(language);
}
