import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { RecordedRequest } from './control.ts';
import type { Endpoint, Route } from './routes.ts';
import type { Refusal } from './wire/dialect.ts';
import { EmbeddingRequest, embed, embedNatively, NativeEmbeddingRequest } from './wire/embeddings.ts';
import { imageAtOnce, NativeRequest, type NativeTasks } from './wire/native-tasks.ts';

interface Asked {
  route: Route;
  record: RecordedRequest;
  services: { tasks: NativeTasks; url: string };
}
type Replied = { body: unknown } | { refusal: Refusal };

/** Parses the body and answers it, or says what is wrong with it. */
function taking<Body>(schema: z.ZodType<Body>, reply: (body: Body, asked: Asked) => unknown) {
  return (asked: Asked): Replied => {
    const parsed = schema.safeParse(asked.record.body);
    if (parsed.success) return { body: reply(parsed.data, asked) };
    const issue = parsed.error.issues[0];
    return { refusal: { status: 400, message: `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}` } };
  };
}

/** Everything but the chat: one question, one answer. */
export const PLAIN_ENDPOINTS: Readonly<Partial<Record<Endpoint, (asked: Asked) => Replied>>> = {
  models: ({ route }) => {
    const data = route.dialect.models.map((id) => ({ id, object: 'model', owned_by: 'kith-simulator' }));
    return { body: { object: 'list', data } };
  },
  embeddings: taking(EmbeddingRequest, (body) => embed(body)),
  'native-embeddings': taking(NativeEmbeddingRequest, (body) => embedNatively(body, randomUUID())),
  'native-image': taking(NativeRequest, (body, { services }) => imageAtOnce(body, services.url)),
  'native-task': taking(NativeRequest, (body, { record, services }) => services.tasks.start(body, record.path)),
  'native-task-state': ({ route, services }) => {
    const unknown = { request_id: randomUUID(), output: { task_id: route.name, task_status: 'UNKNOWN' } };
    return { body: services.tasks.state(route.name, services.url) ?? unknown };
  },
};
