import type { Kith } from '../main.ts';
import type { Language } from './terminal.ts';

const words = {
  en: {
    ready: 'Kith is ready',
    noAddress: 'without an address of its own',
    docs: 'API',
    roles: 'roles',
    database: 'database',
    embedded: (folder: string) => `embedded, in ${folder}`,
    server: 'your PostgreSQL',
    queue: 'queue and events',
    memory: 'in this process',
    redis: 'your Redis',
    auth: 'who may call',
    dev: 'dev: this machine only, X-User-Id names the user',
    jwt: 'jwt: bearer tokens and service keys',
    model: 'model',
    stop: 'Ctrl+C stops it.',
  },
  zh: {
    ready: 'Kith 已就绪',
    noAddress: '无自己的地址',
    docs: '接口文档',
    roles: '角色',
    database: '数据库',
    embedded: (folder: string) => `内置,位于 ${folder}`,
    server: '你的 PostgreSQL',
    queue: '队列与事件',
    memory: '在本进程内',
    redis: '你的 Redis',
    auth: '谁可调用',
    dev: 'dev:仅限本机,X-User-Id 指定用户',
    jwt: 'jwt:令牌与服务密钥',
    model: '模型',
    stop: '按 Ctrl+C 停止。',
  },
} as const;

/** One screen: where it is, where its data is, who answers. */
export function startMessage({ url, config, database, rooms }: Kith, language: Language): string {
  const say = words[language];
  const lines: [label: string, value: string][] = [
    ...(url ? ([[say.docs, `${url}/docs`]] satisfies [string, string][]) : []),
    [say.database, database.kind === 'embedded' ? say.embedded(config.home) : say.server],
    [say.queue, config.redis.url ? say.redis : say.memory],
    [say.auth, say[config.auth.mode]],
    [say.roles, config.roles.join(', ')],
    [say.model, rooms.model],
  ];
  const width = Math.max(...lines.map(([label]) => columns(label)));
  const rows = lines.map(([label, value]) => `  ${label}${' '.repeat(width - columns(label))}  ${value}`);
  return [`\n${say.ready}  ${url ?? say.noAddress}`, ...rows, say.stop, ''].join('\n');
}

/** Chinese characters take two columns of a terminal. */
const columns = (text: string) => text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0);
