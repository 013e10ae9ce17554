import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  ErrorCode,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import type { McpServerConfig } from '../../config/index.ts';
import type { Log } from '../../observability/index.ts';
import { SkillFailure } from '../failures.ts';

/** One MCP server: its tools as last seen, and a connection that is made again when it breaks. */
export interface McpConnection {
  tools(): readonly Tool[];
  /** Why there is no connection now. */
  error(): string | undefined;
  /** Connects, if it is not connected; fails as SKILL_UNAVAILABLE. Whoever gives up waiting does not stop the attempt. */
  connect(signal: AbortSignal): Promise<void>;
  call(tool: string, input: Record<string, unknown>, options: CallOptions): Promise<CallToolResult>;
  close(): Promise<void>;
}

export interface CallOptions {
  signal: AbortSignal;
  idempotencyKey: string;
}

const MOST_TOOLS = 200;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;
/** A server may have to be installed first (`npx …`); nobody's call waits that long. */
const CONNECT_MS = 60_000;

export function mcpConnection(server: string, config: McpServerConfig, log: Log): McpConnection {
  const name = `mcp.${server}`;
  const timeout = config.timeoutSeconds * 1000;
  let tools: readonly Tool[] = [];
  let client: Client | undefined;
  let opening: Client | undefined;
  let connecting: Promise<Client> | undefined;
  let fault: string | undefined = 'not connected yet';
  let retryMs = FIRST_RETRY_MS;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  const open = async (): Promise<Client> => {
    const fresh = new Client(
      { name: 'kith', version: '0.1.0' },
      {
        capabilities: {},
        listChanged: { tools: { autoRefresh: false, onChanged: () => void refresh(fresh) } },
      },
    );
    opening = fresh;
    let ended = false;
    fresh.onclose = () => {
      ended = true;
      lose(fresh, 'the connection was closed');
    };
    try {
      await fresh.connect(transportOf(config, log.child({ mcp: server })), { timeout: CONNECT_MS });
      const listed = await listTools(fresh, CONNECT_MS);
      if (ended || closed) throw new Error('closed at once');
      [client, tools, fault, retryMs] = [fresh, listed, undefined, FIRST_RETRY_MS];
      return fresh;
    } catch (error) {
      await fresh.close().catch(() => {});
      throw error;
    }
  };
  const refresh = async (from: Client) => {
    tools = await listTools(from, CONNECT_MS).catch((error) => {
      log.warn({ mcp: server, reason: reasonOf(error) }, 'the tools of an MCP server could not be listed again');
      return tools;
    });
  };
  const lose = (lost: Client | undefined, reason: string) => {
    if (closed || (lost && client !== lost)) return;
    [client, fault] = [undefined, reason];
    log.warn({ mcp: server, reason }, 'an MCP server is not connected');
    clearTimeout(retry);
    retry = setTimeout(() => void connected().catch(() => {}), retryMs).unref();
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  };
  const connected = async (): Promise<Client> => {
    if (closed) throw unavailable(name);
    if (client) return client;
    connecting ??= open()
      .catch((error) => {
        lose(undefined, reasonOf(error));
        throw unavailable(name);
      })
      .finally(() => {
        connecting = undefined;
      });
    return connecting;
  };
  /** Within the time that a call may take; the attempt goes on without the one who waited. */
  const connectedFor = async (signal: AbortSignal): Promise<Client> => {
    try {
      return await unlessAborted(connected(), AbortSignal.any([signal, AbortSignal.timeout(timeout)]));
    } catch (error) {
      throw signal.aborted ? error : unavailable(name);
    }
  };

  const callOnce = async (tool: string, input: Record<string, unknown>, { signal, idempotencyKey }: CallOptions) => {
    const current = await connectedFor(signal);
    try {
      const params = { name: tool, arguments: input, _meta: { 'kith/idempotency-key': idempotencyKey } };
      const limits = { signal, timeout, maxTotalTimeout: timeout };
      return CallToolResultSchema.parse(await current.callTool(params, CallToolResultSchema, limits));
    } catch (error) {
      if (isConnectionFault(error)) {
        lose(current, reasonOf(error));
        await current.close().catch(() => {});
      }
      throw error;
    }
  };
  return {
    tools: () => tools,
    error: () => fault,
    connect: async (signal) => void (await connectedFor(signal)),
    async call(tool, input, options) {
      const full = `${name}.${tool}`;
      try {
        return await callOnce(tool, input, options).catch((error) => {
          // The server has forgotten the session: it has not done anything yet either.
          if (isSessionGone(error)) return callOnce(tool, input, options);
          throw error;
        });
      } catch (error) {
        throw failureOf(error, full, config.timeoutSeconds, options.signal);
      }
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await opening?.close().catch(() => {});
      await connecting?.catch(() => {});
    },
  };
}

function transportOf(config: McpServerConfig, log: Log): Transport {
  if ('url' in config) {
    return new StreamableHTTPClientTransport(new URL(config.url), { requestInit: { headers: config.headers } });
  }
  const { command, args, env } = config;
  // The child gets a few harmless variables and what the configuration names: none of the server's own secrets.
  const transport = new StdioClientTransport({ command, args, env, stderr: 'pipe' });
  transport.stderr?.on('data', (chunk) => log.debug({ bytes: String(chunk).length }, 'an MCP server wrote to stderr'));
  return transport;
}

async function listTools(client: Client, timeout: number): Promise<Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined && tools.length < MOST_TOOLS);
  // A name becomes part of a prompt and of the user's settings: one that is more than a name is left out.
  return tools.filter(({ name }) => /^[\w./-]{1,128}$/.test(name)).slice(0, MOST_TOOLS);
}

const unavailable = (module: string) => new SkillFailure('SKILL_UNAVAILABLE', undefined, { module });

const isMcpError = (error: unknown, code: ErrorCode): boolean => error instanceof McpError && error.code === code;
/** 404 by the protocol; servers that restarted also answer 400 to a session that they do not know. */
const isSessionGone = (error: unknown): boolean =>
  error instanceof StreamableHTTPError && (error.code === 404 || error.code === 400);
/** `fetch` throws TypeErrors; the SDK a plain error when its transport is gone. */
const isConnectionFault = (error: unknown): boolean =>
  error instanceof StreamableHTTPError ||
  error instanceof TypeError ||
  isMcpError(error, ErrorCode.ConnectionClosed) ||
  (error instanceof Error && error.message === 'Not connected');
const neverSent = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ENOTFOUND'].includes(systemCode(error) ?? '') ||
  (error instanceof Error && error.message === 'Not connected');

function systemCode(error: unknown): string | undefined {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function failureOf(error: unknown, name: string, seconds: number, signal: AbortSignal): SkillFailure {
  if (error instanceof SkillFailure) return error;
  if (signal.aborted) return new SkillFailure('CANCELED');
  if (neverSent(error)) return unavailable(name);
  if (isMcpError(error, ErrorCode.RequestTimeout)) return new SkillFailure('TIMED_OUT', undefined, { name, seconds });
  if (error instanceof McpError && error.code !== ErrorCode.ConnectionClosed) {
    return new SkillFailure('TOOL_FAILED', undefined, { reason: error.message.slice(0, 500) });
  }
  return new SkillFailure('OUTCOME_UNKNOWN', undefined, { name });
}

/** For logs and lists of skills: what happened, without addresses, paths or bodies. */
function reasonOf(error: unknown): string {
  if (isMcpError(error, ErrorCode.RequestTimeout)) return 'it did not answer in time';
  if (error instanceof StreamableHTTPError) return `it answered with status ${error.code}`;
  const code = systemCode(error);
  return code === undefined ? 'it could not be reached' : `it could not be reached (${code})`;
}
