import type { Check } from './index.ts';

const words = {
  en: {
    vector: 'with pgvector',
    noVector: 'without pgvector: memory is searched by an exact scan',
    away: 'cannot be opened',
    apart: (seconds: number) => `this machine and the database are ${seconds} s apart`,
    together: 'this machine and the database agree',
  },
  zh: {
    vector: '带 pgvector',
    noVector: '无 pgvector:记忆检索使用精确扫描',
    away: '无法打开',
    apart: (seconds: number) => `本机与数据库相差 ${seconds} 秒`,
    together: '本机与数据库一致',
  },
} as const;

export const checkDatabase: Check = async ({ cli, language }) => {
  const say = words[language];
  try {
    return await cli.withDatabase(async ({ sql, kind, vector }) => {
      const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
      const detail = `${kind}, PostgreSQL ${row?.version}, ${vector ? say.vector : say.noVector}`;
      return [{ name: 'database', status: 'ok', detail }];
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ name: 'database', status: 'failed', detail: `${say.away}: ${reason}` }];
  }
};

/** Leases and tokens are judged by clocks: the database's and this machine's. */
export const checkClock: Check = async ({ cli, config, language }) => {
  // The embedded database has this machine's own clock.
  if (!config.database.url) return [];
  const say = words[language];
  try {
    const apart = await cli.withDatabase(async ({ sql }) => {
      const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
      return row ? Math.abs(Date.now() - row.now.getTime()) / 1000 : 0;
    });
    const status = apart > 5 ? 'warning' : 'ok';
    return [{ name: 'clock', status, detail: apart > 5 ? say.apart(Math.round(apart)) : say.together }];
  } catch {
    return [];
  }
};
