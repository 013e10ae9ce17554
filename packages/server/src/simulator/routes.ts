import { dashscope } from './wire/dashscope.ts';
import { deepseek } from './wire/deepseek.ts';
import type { Dialect } from './wire/dialect.ts';

export type Endpoint =
  | 'chat'
  | 'embeddings'
  | 'models'
  | 'native-embeddings'
  | 'native-image'
  | 'native-task'
  | 'native-task-state'
  | 'media';

export interface Route {
  dialect: Dialect;
  endpoint: Endpoint;
  /** The rest of the path where it names something: a task, a file. */
  name: string;
}

const PATHS: readonly { method: string; pattern: RegExp; endpoint: Endpoint }[] = [
  { method: 'POST', pattern: /\/chat\/completions$/, endpoint: 'chat' },
  { method: 'POST', pattern: /\/services\/embeddings\/text-embedding\/text-embedding$/, endpoint: 'native-embeddings' },
  { method: 'POST', pattern: /\/embeddings$/, endpoint: 'embeddings' },
  { method: 'GET', pattern: /\/models$/, endpoint: 'models' },
  { method: 'POST', pattern: /\/services\/aigc\/multimodal-generation\/generation$/, endpoint: 'native-image' },
  { method: 'POST', pattern: /\/services\/aigc\/[\w-]+\/[\w-]+$/, endpoint: 'native-task' },
  { method: 'GET', pattern: /\/api\/v1\/tasks\/([\w-]+)$/, endpoint: 'native-task-state' },
  { method: 'GET', pattern: /^\/media\/([\w-]+\.(?:png|mp4))$/, endpoint: 'media' },
];

/** The vendor is chosen by the first part of the path; what has none is spoken OpenAI-compatible, as DashScope does. */
export function findRoute(method: string, path: string): Route | undefined {
  const dialect = path.startsWith('/deepseek/') ? deepseek : dashscope;
  for (const { method: wanted, pattern, endpoint } of PATHS) {
    const match = method === wanted ? pattern.exec(path) : null;
    if (match) return { dialect, endpoint, name: match[1] ?? '' };
  }
  return undefined;
}
