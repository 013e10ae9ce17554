import { randomUUID } from 'node:crypto';
import type { ProjectCliArgs, ToolOutput, UserAgentContext } from '@kith/protocol';
import type { Database } from '../db/index.ts';
import type { SkillContext, Skills } from './port.ts';

/** For tests: calls skills as a run does, each call in a transaction that a failure rolls back. */
export interface Person {
  userId: string;
  timezone?: string;
  language?: string;
  now?: Date;
  user?: UserAgentContext;
}

export function callerFor(database: Database, skills: Skills) {
  return async (person: Person, name: string, input: ProjectCliArgs['input'] = {}): Promise<ToolOutput> => {
    const dot = name.lastIndexOf('.');
    const args = { module: name.slice(0, dot), method: name.slice(dot + 1), input };
    const output: { given?: ToolOutput } = {};
    await database.sql
      .begin(async (sql) => {
        output.given = await skills.call(args, contextFor(person, sql));
        if (output.given.status === 'failure') throw new RolledBack();
      })
      .catch((error) => {
        if (!(error instanceof RolledBack)) throw error;
      });
    if (!output.given) throw new Error('the call gave nothing');
    return output.given;
  };
}

class RolledBack extends Error {}

export function contextFor(person: Person, sql: SkillContext['sql']): SkillContext {
  const { userId, timezone = 'Asia/Shanghai', language = 'en', now = new Date('2026-11-16T02:00:00Z') } = person;
  return {
    userId,
    user: person.user ?? { user_id: userId, is_anonymous: true },
    sessionId: null,
    runId: null,
    now,
    timezone,
    language,
    sql,
    idempotencyKey: randomUUID(),
    signal: new AbortController().signal,
  };
}
