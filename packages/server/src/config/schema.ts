import { AgentType } from '@kith/protocol';
import { z } from 'zod';

/** Everything that can be configured, once. `kith.yaml` has this shape; the environment fills in over it. */

const seconds = (fallback: number) => z.number().positive().max(31_536_000).default(fallback);
const count = (fallback: number) => z.int().positive().default(fallback);

export const Role = z.enum(['api', 'worker', 'scheduler']);
export type Role = z.infer<typeof Role>;

const Server = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(7070),
  /** Where browsers may come from besides the server itself. */
  origins: z.array(z.url()).default([]),
  /** Host names (without port) under which the server may be addressed in dev auth, besides loopback. */
  hosts: z.array(z.string()).default([]),
  bodyLimit: count(4 * 1024 * 1024),
  rateLimit: z.strictObject({ max: count(6000), windowSeconds: seconds(60) }).prefault({}),
  trustProxy: z.boolean().default(false),
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

const Auth = z
  .strictObject({
    mode: z.enum(['dev', 'jwt']).default('dev'),
    jwt: z
      .strictObject({
        /** HS256, at least 32 bytes. */
        secret: z.string().min(32).optional(),
        jwksUrl: z.url().optional(),
        issuer: z.string().optional(),
        audience: z.string().optional(),
        algorithms: z
          .array(z.enum(['HS256', 'RS256', 'PS256', 'ES256', 'EdDSA']))
          .min(1)
          .optional(),
      })
      .prefault({}),
  })
  .superRefine((auth, check) => {
    if (auth.mode === 'jwt' && !auth.jwt.secret && !auth.jwt.jwksUrl) {
      check.addIssue({ code: 'custom', path: ['jwt'], message: 'jwt auth needs `secret` or `jwksUrl`' });
    }
    if (auth.jwt.secret && auth.jwt.jwksUrl) {
      check.addIssue({ code: 'custom', path: ['jwt'], message: 'give either `secret` or `jwksUrl`, not both' });
    }
  });

const Runs = z.strictObject({
  /** Runs under way at once in one process. */
  concurrency: count(32),
  leaseSeconds: seconds(15),
  graceSeconds: seconds(10),
  approvalExpirySeconds: seconds(86_400),
  sweepSeconds: seconds(5),
  limits: z
    .strictObject({
      steps: count(50),
      tokens: count(500_000),
      /** CNY, as a decimal string. */
      cost: z
        .string()
        .regex(/^\d+(\.\d{1,12})?$/)
        .default('10'),
      wallTimeSeconds: seconds(600),
    })
    .prefault({}),
});

const Events = z.strictObject({
  flushMilliseconds: z.int().min(1).max(1000).default(30),
  /** Token deltas are dropped from the log this long after their run; the final text stays. */
  deltaRetentionSeconds: seconds(86_400),
  keepAliveSeconds: seconds(15),
  maxReaderBacklogBytes: count(1024 * 1024),
});

const VendorKey = z.strictObject({
  label: z.string().default('default'),
  /** Name of the environment variable that holds the secret. */
  env: z.string(),
  serves: z.array(z.string()).default([]),
  weight: z.int().nonnegative().default(1),
  requestsPerMinute: z.int().positive().optional(),
  tokensPerMinute: z.int().positive().optional(),
  monthlyBudget: z.string().optional(),
});
const VendorModel = z.strictObject({
  name: z.string(),
  category: z.enum(['text', 'reasoning', 'embedding', 'multimodal', 'text-to-image', 'text-to-video']).default('text'),
  version: z.string().optional(),
  capabilities: z.record(z.string(), z.json()).default({}),
  contextWindow: z.int().positive().optional(),
  maxOutputTokens: z.int().positive().optional(),
  /** For models whose wire is data: docs/models.md. */
  requestTemplate: z.json().optional(),
  responseParser: z.json().optional(),
  priceCards: z.array(z.json()).default([]),
  fallback: z.string().optional(),
});
export const VendorConfig = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
  name: z.string().optional(),
  adapter: z.enum(['deepseek', 'alibaba', 'openai-compatible', 'http']),
  endpoints: z
    .array(
      z.strictObject({
        label: z.string().default('default'),
        baseUrl: z.url(),
        categories: z.array(z.string()).default([]),
        priority: z.int().default(0),
      }),
    )
    .min(1),
  keys: z.array(VendorKey).default([]),
  models: z.array(VendorModel).default([]),
});
export type VendorConfig = z.infer<typeof VendorConfig>;

const Models = z.strictObject({
  vendors: z.array(VendorConfig).default([]),
  /** Agent type → model id (`vendor/model`). */
  stages: z.partialRecord(AgentType, z.string()).default({}),
  timeoutSeconds: seconds(120),
  retries: z.int().min(0).max(10).default(2),
  simulator: z
    .strictObject({ latencyMilliseconds: z.int().min(0).default(0), chunkDelayMilliseconds: z.int().min(0).default(0) })
    .prefault({}),
});

const McpServer = z.union([
  z.strictObject({
    command: z.string(),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
    timeoutSeconds: seconds(30),
    /** Methods that need no approval. */
    trusted: z.array(z.string()).default([]),
    idempotent: z.array(z.string()).default([]),
  }),
  z.strictObject({
    url: z.url(),
    headers: z.record(z.string(), z.string()).default({}),
    timeoutSeconds: seconds(30),
    trusted: z.array(z.string()).default([]),
    idempotent: z.array(z.string()).default([]),
  }),
]);
export type McpServerConfig = z.infer<typeof McpServer>;

const Skills = z.strictObject({
  /** A folder of Agent Skills of your own. */
  folder: z.string().optional(),
  mcp: z.record(z.string().regex(/^[a-z0-9][a-z0-9_-]*$/), McpServer).default({}),
});

const Memory = z.strictObject({
  enabled: z.boolean().default(true),
  /** Characters of memory that may go into a prompt. */
  promptBudget: count(2000),
  recall: count(8),
  learning: z.boolean().default(true),
  /** `none`: lexical search only. `registry`: the EMBEDDING stage model. `offline`: small built-in models, where installed. */
  embeddings: z.enum(['auto', 'none', 'registry', 'offline']).default('auto'),
});

const Files = z.strictObject({
  maxBytes: count(20 * 1024 * 1024),
  maxPages: count(2000),
  maxCells: count(500_000),
  maxExpansion: count(100),
  timeoutSeconds: seconds(30),
  storage: z
    .discriminatedUnion('provider', [
      z.strictObject({ provider: z.literal('local') }),
      z.strictObject({
        provider: z.enum(['aliyun', 'tencent', 'aws', 'gcp', 'gcc']),
        bucket: z.string(),
        region: z.string().default('auto'),
        endpoint: z.url().optional(),
        prefix: z.string().default(''),
        forcePathStyle: z.boolean().default(false),
        /** Names of environment variables. */
        accessKeyEnv: z.string().default('S3_ACCESS_KEY_ID'),
        secretKeyEnv: z.string().default('S3_SECRET_ACCESS_KEY'),
      }),
    ])
    .prefault({ provider: 'local' }),
});

const Automation = z.strictObject({
  tickSeconds: seconds(1),
  maxFailures: count(5),
  backoffSeconds: seconds(60),
});

export const Config = z.strictObject({
  home: z.string().default('.kith'),
  roles: z.array(Role).min(1).default(['api', 'worker', 'scheduler']),
  server: Server.prefault({}),
  auth: Auth.prefault({}),
  database: z
    .strictObject({ url: z.url({ protocol: /^postgres(ql)?$/ }).optional(), poolSize: count(10) })
    .prefault({}),
  redis: z.strictObject({ url: z.url({ protocol: /^rediss?$/ }).optional() }).prefault({}),
  settings: z
    .strictObject({
      /** Writing stores the latest version; true: a document keeps its version until it needs a newer one. */
      lazyUpgrade: z.boolean().default(false),
    })
    .prefault({}),
  runs: Runs.prefault({}),
  events: Events.prefault({}),
  models: Models.prefault({}),
  skills: Skills.prefault({}),
  memory: Memory.prefault({}),
  files: Files.prefault({}),
  automation: Automation.prefault({}),
  agents: z.strictObject({ folder: z.string().optional() }).prefault({}),
});
export type Config = z.infer<typeof Config>;
