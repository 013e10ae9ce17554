import multipart from '@fastify/multipart';
import { FileInfo, FilePage, FilePassages, FileText, ThreadId } from '@kith/protocol';
import { z } from 'zod';
import type { Config } from '../../config/index.ts';
import { attachmentHeader, type Files } from '../../files/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import type { App, Routes } from '../app.ts';
import { takeUpload } from './file-uploads.ts';

export interface FileServices {
  files: Files;
  sessions: Sessions;
  config: Pick<Config, 'files'>;
}

const tags = ['files'];
const base = '/api/v1/files';
const params = z.strictObject({ file_id: z.string().max(100) });
const UploadQuery = z.strictObject({
  /** Of a raw upload; a form brings its own. */
  name: z.string().max(1000).optional(),
  /** Gives the file to this session at once. */
  thread_id: ThreadId.optional(),
});
const ListQuery = z.strictObject({
  thread_id: ThreadId.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
});
const TextQuery = z.strictObject({ pages: z.string().max(200).optional() });
const SearchQuery = z.strictObject({
  q: z.string().min(1).max(1000),
  thread_id: ThreadId.optional(),
  limit: z.coerce.number().int().min(1).max(50).default(8),
});

/** Files of the caller: sent, listed, read, searched, fetched, deleted. */
export function fileRoutes(services: FileServices): Routes {
  return async (app) => {
    await app.register(uploads(services));
    collection(app, services);
    resource(app, services);
  };
}

/** The session that a request names, if it names one; anybody else's does not exist. */
async function sessionIdOf({ sessions }: FileServices, userId: string, threadId: string | undefined) {
  return threadId === undefined ? undefined : (await sessions.find(userId, threadId)).id;
}

/** Has parsers of its own: here a body is bytes, whatever it calls itself, and none of it is held in memory. */
function uploads(services: FileServices): Routes {
  const { files, config } = services;
  return async (app) => {
    app.removeAllContentTypeParsers();
    // The files room counts for itself and says FILE_TOO_LARGE; this bound only stands behind it.
    const limits = { fileSize: config.files.maxBytes + 1, files: 1, fields: 8, fieldSize: 10_000, parts: 16 };
    await app.register(multipart, { limits });
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    app.post(
      base,
      {
        schema: {
          tags,
          summary: 'Send a file: in a form, or raw with `?name=`. What is wrong with its inside is in `error`',
          consumes: ['multipart/form-data', 'application/octet-stream'],
          querystring: UploadQuery,
          response: { 201: FileInfo },
        },
      },
      async (request, reply) => {
        const { userId } = request.caller;
        const { name, thread_id } = request.query;
        const sessionId = await sessionIdOf(services, userId, thread_id);
        const file = await takeUpload(request, name, (upload) => files.store(userId, upload, { sessionId }));
        return reply.status(201).send(file);
      },
    );
  };
}

function collection(app: App, services: FileServices): void {
  const { files } = services;
  app.get(
    base,
    { schema: { tags, summary: 'Files, the latest first', querystring: ListQuery, response: { 200: FilePage } } },
    async ({ caller, query: { thread_id, ...page } }) => {
      const sessionId = await sessionIdOf(services, caller.userId, thread_id);
      return files.list(caller.userId, { ...page, sessionId });
    },
  );
  app.get(
    `${base}/search`,
    {
      schema: {
        tags,
        summary: 'The passages that fit a question best',
        querystring: SearchQuery,
        response: { 200: FilePassages },
      },
    },
    async ({ caller, query: { q, thread_id, limit } }) => {
      const sessionId = await sessionIdOf(services, caller.userId, thread_id);
      const passages = await files.search(caller.userId, q, { sessionId, limit });
      return { count: passages.length, passages };
    },
  );
}

function resource(app: App, { files }: FileServices): void {
  app.get(
    `${base}/:file_id`,
    { schema: { tags, summary: 'What is known of a file', params, response: { 200: FileInfo } } },
    ({ caller, params }) => files.get(caller.userId, params.file_id),
  );
  app.get(
    `${base}/:file_id/text`,
    {
      schema: {
        tags,
        summary: 'The text of a file, or of some pages (`1-3,5`)',
        params,
        querystring: TextQuery,
        response: { 200: FileText },
      },
    },
    ({ caller, params, query }) => files.read(caller.userId, params.file_id, query.pages),
  );
  app.get(
    `${base}/:file_id/content`,
    { schema: { tags, summary: 'The bytes, as they were sent', params } },
    async ({ caller, params }, reply) => {
      const { file, bytes } = await files.open(caller.userId, params.file_id);
      return reply
        .type(file.media_type)
        .header('content-length', file.size)
        .header('content-disposition', attachmentHeader(file.name))
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('cache-control', 'private, no-cache')
        .header('etag', `"${file.sha256}"`)
        .send(bytes);
    },
  );
  app.delete(
    `${base}/:file_id`,
    {
      schema: { tags, summary: 'Delete a file and all that was read of it', params, response: { 204: z.undefined() } },
    },
    async ({ caller, params }, reply) => {
      await files.delete(caller.userId, params.file_id);
      return reply.status(204).send();
    },
  );
}
