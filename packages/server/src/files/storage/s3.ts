import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { z } from 'zod';
import type { Config, Environment } from '../../config/index.ts';
import { errors } from '../../errors/index.ts';
import { checkedKey, type StagedBytes, type Storage } from './storage.ts';

export type S3Config = Exclude<Config['files']['storage'], { provider: 'local' }>;

const ATTEMPTS = 3;
const Headers = z.looseObject({ headers: z.record(z.string(), z.string()) });
// What goes wrong is thrown, and logged by whoever asked; the SDK would also write to the console.
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** Any store that speaks S3: Alibaba Cloud OSS, Tencent COS, AWS, Google Cloud, or one of your own by `endpoint`. */
export function s3Storage(config: S3Config, environment: Environment): Storage {
  const client = new S3Client({
    region: config.region,
    endpoint: config.endpoint ?? endpointOf(config),
    forcePathStyle: config.forcePathStyle,
    credentials: credentialsOf(config, environment),
    // The SDK would add checksums in trailers, which the other vendors refuse; the SHA-256 in the signature covers the body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: ATTEMPTS,
    logger: silent,
  });
  const address = (key: string) => ({ Bucket: config.bucket, Key: `${config.prefix}${checkedKey(key)}` });
  return {
    provider: config.provider,
    put: (key, bytes) => putWithRetries(client, address(key), bytes),
    open: async (key) => {
      try {
        const { Body } = await client.send(new GetObjectCommand(address(key)));
        if (Body instanceof Readable) return Body;
        throw errors.FILE_NOT_FOUND({ detail: 'the bytes of this file are gone' });
      } catch (error) {
        if (isMissing(error)) throw errors.FILE_NOT_FOUND({ detail: 'the bytes of this file are gone' }, error);
        throw error;
      }
    },
    delete: async (key) => {
      await client.send(new DeleteObjectCommand(address(key))).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    },
    close: async () => client.destroy(),
  };
}

/** The SDK does not send a stream twice, so each attempt opens the staged file anew. */
async function putWithRetries(client: S3Client, address: { Bucket: string; Key: string }, bytes: StagedBytes) {
  for (let attempt = 1; ; attempt += 1) {
    const Body = createReadStream(bytes.file);
    try {
      await client.send(putCommand(address, Body, bytes));
      return;
    } catch (error) {
      Body.destroy();
      if (attempt === ATTEMPTS || !mayPass(error)) throw error;
      await wait(100 * 2 ** attempt);
    }
  }
}

/** Signed with the hash that staging has counted, so that the store itself refuses a body that was cut or changed. */
function putCommand(address: { Bucket: string; Key: string }, Body: Readable, bytes: StagedBytes): PutObjectCommand {
  const command = new PutObjectCommand({
    ...address,
    Body,
    ContentLength: bytes.size,
    ContentType: bytes.mediaType,
  });
  command.middlewareStack.add(
    (next) => (call) => {
      const { headers } = Headers.parse(call.request);
      headers['x-amz-content-sha256'] = bytes.sha256;
      return next({ ...call, request: Object.assign(call.request ?? {}, { headers }) });
    },
    { step: 'build', name: 'signedBody' },
  );
  return command;
}

const mayPass = (error: unknown): boolean =>
  !(error instanceof S3ServiceException) || (error.$metadata.httpStatusCode ?? 500) >= 500;

const isMissing = (error: unknown): boolean =>
  error instanceof NoSuchKey || (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404);

/** `gcc` is another name people have for Google's cloud. */
function endpointOf({ provider, region }: S3Config): string | undefined {
  switch (provider) {
    case 'aliyun':
      return `https://s3.oss-${region.replace(/^oss-/, '')}.aliyuncs.com`;
    case 'tencent':
      return `https://cos.${region}.myqcloud.com`;
    case 'gcp':
    case 'gcc':
      return 'https://storage.googleapis.com';
    case 'aws':
      return undefined;
  }
}

function credentialsOf({ accessKeyEnv, secretKeyEnv }: S3Config, environment: Environment) {
  const accessKeyId = environment[accessKeyEnv];
  const secretAccessKey = environment[secretKeyEnv];
  const missing = [accessKeyId ? [] : [accessKeyEnv], secretAccessKey ? [] : [secretKeyEnv]].flat();
  if (!accessKeyId || !secretAccessKey) {
    throw errors.CONFIG_INVALID({ detail: `files.storage: the environment lacks ${missing.join(' and ')}` });
  }
  return { accessKeyId, secretAccessKey };
}
