import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, errors, isKithError, type KithError, problemOf } from '../../errors/index.ts';
import type { App } from '../app.ts';
import { pathOf } from '../path.ts';

/** Every error leaves as problem+json from the one table; what the table does not know is ours, and stays inside. */
export function problems(app: App): void {
  app.setErrorHandler(answerWithProblem);
}

export function answerWithProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toKithError(thrown);
  if (error.status >= 500) request.log.error({ err: error.cause ?? error, code: error.code }, 'request failed');
  else request.log.debug({ code: error.code, detail: error.message }, 'request refused');
  sendProblem(error, request, reply);
}

export function sendProblem(error: KithError, request: FastifyRequest, reply: FastifyReply): void {
  reply.status(error.status).header('x-request-id', request.id);
  if (error.status === 401) {
    reply.header('www-authenticate', error.code === 'TOKEN_INVALID' ? 'Bearer error="invalid_token"' : 'Bearer');
  }
  if (typeof error.facts.retryAfterSeconds === 'number') {
    reply.header('retry-after', error.facts.retryAfterSeconds);
  }
  if (Array.isArray(error.facts.allow)) reply.header('allow', error.facts.allow.join(', '));
  if (request.headers.upgrade !== undefined) closeAfter(request, reply);
  reply.type('application/problem+json').send(JSON.stringify(problemOf(error, pathOf(request.url), request.id)));
}

/** A WebSocket that is refused leaves a socket that no server counts any more: it would hold up a shutdown. */
function closeAfter(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close');
  reply.raw.once('finish', () => request.raw.socket.destroySoon());
}

function toKithError(thrown: unknown): KithError {
  if (isKithError(thrown)) return thrown;
  if (isFrameworkError(thrown)) return ofFramework(thrown);
  return ofDatabase(thrown) ?? errors.INTERNAL({}, thrown);
}

const isFrameworkError = (thrown: unknown): thrown is FastifyError =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' && thrown.code.startsWith('FST_');

const byStatus: Record<number, ErrorCode> = {
  400: 'REQUEST_INVALID',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  406: 'REQUEST_INVALID',
  413: 'BODY_TOO_LARGE',
  414: 'REQUEST_INVALID',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  503: 'NOT_READY',
};
const details: Record<string, string> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'the body is not valid JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'a body is needed',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'the body is shorter or longer than its Content-Length',
  FST_ERR_BAD_URL: 'the address is not valid',
};

function ofFramework(error: FastifyError): KithError {
  const code = byStatus[error.statusCode ?? 500];
  const detail = details[error.code];
  return code ? errors[code](detail ? { detail } : {}, error) : errors.INTERNAL({}, error);
}

const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'CONNECT_TIMEOUT', 'CONNECTION_CLOSED']);
const stopping = new Set(['CONNECTION_ENDED', 'CONNECTION_DESTROYED', '57P01', '57P02', '57P03']);

/** Two things that only the database can tell: that it is away, and that a text holds what it cannot store. */
function ofDatabase(thrown: unknown): KithError | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    if ((unreachable.has(code) && 'query' in error) || stopping.has(code)) {
      return errors.NOT_READY({ detail: 'the database cannot be reached at the moment' }, thrown);
    }
    // U+0000 in text, U+0000 in JSON, half a surrogate pair in JSON.
    if (code === '22021' || code === '22P05' || (code === '22P02' && /type json/.test(error.message))) {
      return errors.REQUEST_INVALID({ detail: 'a text holds a character that cannot be stored' }, thrown);
    }
  }
  return undefined;
}
