import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Secrets and what people say of themselves never reach a log line, at any depth that we write. */
const hidden = [
  'authorization',
  'cookie',
  'secret',
  'apiKey',
  'api_key',
  'key',
  'token',
  'password',
  'email',
  'bio',
  'phone',
  'custom_fields',
  'content',
  'prompt',
];
const paths = hidden.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `req.headers.${name}`]);

/** A database error carries the statement and its parameters, which are people's data: the log gets the cause alone. */
function withoutParameters(error: Error): object {
  const cause = 'params' in error && error.cause instanceof Error ? error.cause : error;
  const { type, message, stack, ...rest } = pino.stdSerializers.err(cause);
  const code = 'code' in rest ? { code: rest.code } : {};
  return { type, message, stack, ...code };
}

export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: { service: 'kith' },
      redact: { paths: [...paths, 'req.headers["x-api-key"]'], censor: '[hidden]' },
      serializers: { err: withoutParameters },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination ?? pino.destination({ fd: 2, sync: false }),
  );
}
