import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerChat } from './chat-endpoint.ts';
import type { ControlRoom, RecordedRequest } from './control.ts';
import { type Fault, readFaultHeader } from './faults.ts';
import { PLAIN_ENDPOINTS } from './plain-endpoints.ts';
import type { PrefixCache } from './prefix-cache.ts';
import { asRecord, parseJson } from './prompt/json.ts';
import type { Prompt } from './prompt/prompt.ts';
import { readPrompt } from './prompt/read-prompt.ts';
import { findRoute, type Route } from './routes.ts';
import { ChatRequest } from './wire/chat-request.ts';
import type { Refusal } from './wire/dialect.ts';
import { mediaOf } from './wire/media.ts';
import type { NativeTasks } from './wire/native-tasks.ts';
import { linger, type Pace, sendGarbage, sendHuge, sendJson } from './wire/response.ts';

export interface Services {
  control: ControlRoom;
  cache: PrefixCache;
  tasks: NativeTasks;
  clock: () => number;
  pace: Pace;
  url: string;
}

/** A request whose path is known: what it says, and for a chat what it means. */
interface Incoming {
  route: Route;
  record: RecordedRequest;
  chat: { request: ChatRequest; prompt: Prompt } | undefined;
  /** Why the body is not one that the endpoint takes. */
  mistake: string | undefined;
}

export async function handle(request: IncomingMessage, response: ServerResponse, services: Services): Promise<void> {
  const method = request.method ?? 'GET';
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const route = findRoute(method, path);
  const raw = await bodyOf(request);
  if (!route) return sendJson(response, 404, notFound(method, path));
  if (route.endpoint === 'media') return sendMedia(response, route.name);
  const incoming = readIncoming(request, route, path, raw);
  const { record } = incoming;
  services.control.record(record);
  response.once('finish', () => {
    record.status = response.statusCode;
  });
  const status = refusedKey(record.key);
  if (status) return refuse(response, incoming, { status });
  const fault = faultFor(request, record, services.control);
  if (fault && (await goWrong(fault, incoming, response))) return;
  await answer(incoming, fault, services, response);
}

/** A mistake of the simulator's own is told as such, and never as a vendor's. */
export function failed(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (response.headersSent) response.destroy();
  else sendJson(response, 500, { error: { message, type: 'simulator_error', param: null, code: 'simulator_error' } });
}

const notFound = (method: string, path: string) => ({
  error: { message: `No such path: ${method} ${path}`, type: 'invalid_request_error', param: null, code: 'not_found' },
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

function readIncoming(request: IncomingMessage, route: Route, path: string, raw: string): Incoming {
  const body = raw === '' ? undefined : parseJson(raw);
  const parsed = route.endpoint === 'chat' ? ChatRequest.safeParse(body) : undefined;
  const chat = parsed?.data && { request: parsed.data, prompt: readPrompt(parsed.data) };
  const model = asRecord(body)?.model;
  const issue = parsed?.error?.issues[0];
  return {
    route,
    chat,
    mistake: issue && `${issue.path.join('.') || 'body'}: ${issue.message}`,
    record: {
      method: request.method ?? '',
      path,
      endpoint: route.endpoint,
      dialect: route.dialect.name,
      key: /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '',
      model: typeof model === 'string' ? model : '',
      stage: chat ? chat.prompt.schema?.name || (chat.prompt.tools.length > 0 ? 'planner' : 'chat') : '',
      headers: request.headers,
      body,
      status: 0,
    },
  };
}

/** Any key that begins with `sim-` is good, but for the two that stand for bad ones. */
function refusedKey(key: string): number | undefined {
  if (key === 'sim-empty') return 402;
  return key === 'sim-invalid' || !key.startsWith('sim-') ? 401 : undefined;
}

function refuse(response: ServerResponse, { route }: Incoming, refusal: Refusal, headers: Record<string, string> = {}) {
  sendJson(response, refusal.status, route.dialect.error(refusal), headers);
}

function faultFor(request: IncomingMessage, record: RecordedRequest, control: ControlRoom): Fault | undefined {
  const header = request.headers['x-simulate'];
  return (typeof header === 'string' ? readFaultHeader(header) : undefined) ?? control.takeFault(record);
}

/** Faults that need no answer to go wrong; true if the response is dealt with. */
async function goWrong(fault: Fault, incoming: Incoming, response: ServerResponse): Promise<boolean> {
  const isStream = asRecord(incoming.record.body)?.stream === true;
  switch (fault.kind) {
    case 'status': {
      const retry = fault.retryAfter === undefined ? undefined : { 'retry-after': fault.retryAfter };
      refuse(response, incoming, { status: statusOf(fault), reason: fault.reason }, retry);
      return true;
    }
    case 'garbage':
      sendGarbage(response, isStream);
      return true;
    case 'huge':
      await sendHuge(response, fault.megabytes ?? 100, isStream);
      return true;
    default:
      // A chat hangs and breaks off in the middle of its answer; the rest have no middle.
      if (incoming.chat) return false;
      if (fault.kind === 'reset') response.socket?.resetAndDestroy();
      return fault.kind === 'hang' || fault.kind === 'reset';
  }
}

function statusOf({ status, reason }: Fault): number {
  return status ?? (reason === 'arrearage' || reason === 'inspection' ? 400 : 429);
}

async function answer(
  incoming: Incoming,
  fault: Fault | undefined,
  services: Services,
  response: ServerResponse,
): Promise<void> {
  const { route, record, chat, mistake } = incoming;
  const pace: Pace = {
    ...services.pace,
    latencyMs: fault?.latencyMs ?? services.pace.latencyMs,
    chunkDelayMs: fault?.chunkDelayMs ?? services.pace.chunkDelayMs,
  };
  if (chat) {
    const { dialect } = route;
    const call = { ...chat, stage: record.stage, dialect, key: record.key, fault, pace };
    const { cache, clock, control } = services;
    return answerChat(call, { cache, clock, script: control.currentScript() }, response);
  }
  if (mistake) return refuse(response, incoming, { status: 400, message: mistake });
  if (!(await linger(response, pace, ''))) return;
  const reply = PLAIN_ENDPOINTS[route.endpoint]?.({ route, record, services });
  if (!reply) return refuse(response, incoming, { status: 404 });
  if ('refusal' in reply) return refuse(response, incoming, reply.refusal);
  sendJson(response, 200, reply.body);
}

function sendMedia(response: ServerResponse, name: string): void {
  const { type, body } = mediaOf(name);
  response.writeHead(200, { 'content-type': type, 'content-length': body.length });
  response.end(body);
}
