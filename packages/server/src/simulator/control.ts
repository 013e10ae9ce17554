import { Fault } from './faults.ts';
import type { Prompt } from './prompt/prompt.ts';
import type { ChatRequest } from './wire/chat-request.ts';

/** A request as it came in, for assertions. */
export interface RecordedRequest {
  method: string;
  path: string;
  endpoint: string;
  dialect: string;
  key: string;
  model: string;
  /** The contract asked for, `planner` for a turn with tools, `chat` for plain text. */
  stage: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: unknown;
  /** The answer's status; 0 while there is none. */
  status: number;
}

/** A chat request, parsed and read. */
export interface ScriptedRequest {
  body: ChatRequest;
  prompt: Prompt;
  stage: string;
}

/** A test's own answer in place of the simulator's. */
export interface ScriptedAnswer {
  text?: string;
  json?: unknown;
  toolCalls?: readonly { name: string; arguments: unknown }[];
  reasoning?: string;
}
export type Script = (request: ScriptedRequest) => ScriptedAnswer | undefined;

export interface Control {
  /** The next matching request meets this fault. Faults wait in a queue. */
  next(fault: FaultInput): void;
  /** Answers come from here; where it gives none, from the simulator's own brain. */
  script(script: Script | undefined): void;
  /** What was asked, oldest first; only so many are kept. */
  readonly requests: readonly RecordedRequest[];
  /** Forgets faults, script and requests. */
  reset(): void;
}
/** `kind` may be left out where `status` or a latency says it. */
export type FaultInput = Omit<Fault, 'kind'> & { kind?: Fault['kind'] };

/** The side of the control that the server uses. */
export interface ControlRoom extends Control {
  record(request: RecordedRequest): void;
  /** Takes the first waiting fault that fits the request. */
  takeFault(request: RecordedRequest): Fault | undefined;
  currentScript(): Script | undefined;
}

export function controlRoom(initialFaults: readonly FaultInput[], keepRequests: number): ControlRoom {
  const requests: RecordedRequest[] = [];
  let faults: { fault: Fault; left: number }[] = [];
  let script: Script | undefined;
  const room: ControlRoom = {
    requests,
    next(input) {
      const fault = Fault.parse({ ...input, kind: input.kind ?? (input.status ? 'status' : 'slow') });
      faults.push({ fault, left: fault.times ?? 1 });
    },
    script(given) {
      script = given;
    },
    reset() {
      requests.length = 0;
      faults = [];
      script = undefined;
    },
    record(request) {
      requests.push(request);
      if (requests.length > keepRequests) requests.shift();
    },
    takeFault(request) {
      const waiting = faults.find(({ fault }) => fits(fault, request));
      if (!waiting) return undefined;
      waiting.left -= 1;
      if (waiting.left <= 0) faults = faults.filter((other) => other !== waiting);
      return waiting.fault;
    },
    currentScript: () => script,
  };
  for (const fault of initialFaults) room.next(fault);
  return room;
}

function fits({ match = {} }: Fault, request: RecordedRequest): boolean {
  return (
    (match.endpoint ?? request.endpoint) === request.endpoint &&
    (match.dialect ?? request.dialect) === request.dialect &&
    (match.stage ?? request.stage) === request.stage &&
    (match.model ?? request.model) === request.model &&
    (match.key ?? request.key) === request.key
  );
}
