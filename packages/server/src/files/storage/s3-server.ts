import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A small S3 for tests: objects in memory, and as strict about signatures and lengths as the real ones are. */
export interface S3Server {
  endpoint: string;
  /** Bucket and key of every object that is there. */
  keys(): string[];
  /** The next `count` requests are answered with 503. */
  failNext(count: number): void;
  /** Method, path and headers of every request so far. */
  requests: { method: string; path: string; headers: IncomingMessage['headers'] }[];
  stop(): Promise<void>;
}

export async function startS3Server(account: { accessKeyId: string; secretAccessKey: string }): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const requests: S3Server['requests'] = [];
  let failures = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '/', 'http://s3').pathname;
    requests.push({ method: request.method ?? '', path, headers: request.headers });
    const body = await buffer(request);
    if (failures > 0) {
      failures -= 1;
      return refuse(response, 503, 'SlowDown');
    }
    if (!isSigned(request, body, account)) return refuse(response, 403, 'SignatureDoesNotMatch');
    if (request.method === 'PUT') {
      if (Number(request.headers['content-length']) !== body.length)
        return refuse(response, 411, 'MissingContentLength');
      objects.set(path, body);
      response.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end();
      return;
    }
    const object = objects.get(path);
    if (request.method === 'DELETE') {
      objects.delete(path);
      response.writeHead(204).end();
    } else if (object) {
      response.writeHead(200, { 'content-length': object.length }).end(object);
    } else {
      refuse(response, 404, 'NoSuchKey');
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    keys: () => [...objects.keys()],
    failNext: (count) => {
      failures = count;
    },
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refuse(response: ServerResponse, status: number, code: string) {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
}

/** AWS Signature Version 4, of the header form, with the body's hash. */
function isSigned(request: IncomingMessage, body: Buffer, account: { accessKeyId: string; secretAccessKey: string }) {
  const header = request.headers.authorization ?? '';
  const [, accessKeyId, scope, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(header) ?? [];
  if (accessKeyId !== account.accessKeyId || !scope || !names) return false;
  const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
  const hash = String(request.headers['x-amz-content-sha256']);
  if (hash !== sha256(body)) return false;
  const url = new URL(request.url ?? '/', 'http://s3');
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const query = [...url.searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).sort();
  const canonical = [request.method, url.pathname, query.join('&'), headers.join(''), names, hash].join('\n');
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = scope
    .split('/')
    .reduce<Buffer | string>(
      (secret, part) => createHmac('sha256', secret).update(part).digest(),
      `AWS4${account.secretAccessKey}`,
    );
  return createHmac('sha256', key).update(text).digest('hex') === signature;
}
