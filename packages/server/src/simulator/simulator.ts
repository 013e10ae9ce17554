import { createServer, type Server } from 'node:http';
import { type Control, controlRoom, type FaultInput } from './control.ts';
import { failed, handle, type Services } from './handle.ts';
import { prefixCache } from './prefix-cache.ts';
import { nativeTasks } from './wire/native-tasks.ts';

export interface SimulatorOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  host?: string;
  latency?: {
    /** Before the first token. */
    latencyMs?: number;
    /** Between chunks of a stream. */
    chunkDelayMs?: number;
    /** A waiting stream shows a sign of life this often. */
    keepAliveMs?: number;
  };
  /** Waiting from the start, as if given to `control.next`. */
  faults?: readonly FaultInput[];
  /** How many requests `control.requests` keeps. */
  keepRequests?: number;
  /** Milliseconds since the epoch; for `created`, and for prompts that tell no time. */
  clock?: () => number;
}

export interface Simulator {
  /** Base of all paths: `${url}/deepseek/v1`, `${url}/dashscope/v1`. */
  url: string;
  control: Control;
  close(): Promise<void>;
}

/** Starts the built-in vendor: a real HTTP server that speaks DeepSeek's and DashScope's wire. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, host = '127.0.0.1', latency = {}, faults = [], keepRequests = 500, clock = Date.now } = options;
  const services: Services = {
    control: controlRoom(faults, keepRequests),
    cache: prefixCache(),
    tasks: nativeTasks(),
    clock,
    pace: { latencyMs: 0, chunkDelayMs: 0, keepAliveMs: 1000, ...latency },
    url: '',
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    handle(request, response, services).catch((error: unknown) => failed(response, error));
  });
  services.url = await listen(server, port, host);
  return { url: services.url, control: services.control, close: () => close(server) };
}

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : port;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
