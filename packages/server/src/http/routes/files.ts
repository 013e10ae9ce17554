import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import { FileInfo, FilePage, FilePassages, FileText, ThreadId } from '@kith/protocol';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Config } from '../../config/index.ts';
import { errors } from '../../errors/index.ts';
import { attachmentHeader, type Files, type Upload } from '../../files/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import type { App, Routes } from '../app.ts';

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
          summary: 'Send a file: as a form (`file`, and `thread_id` if you like), or raw with `?name=`',
          consumes: ['multipart/form-data', 'application/octet-stream'],
          querystring: UploadQuery,
          response: { 201: FileInfo },
        },
      },
      async (request, reply) => {
        const { userId } = request.caller;
        const sessionId = await sessionIdOf(services, userId, request.query.thread_id);
        const file = request.isMultipart()
          ? await storeForm(services, request, sessionId)
          : await files.store(userId, rawUpload(request, request.query.name), { sessionId });
        return reply.status(201).send(file);
      },
    );
  };
}

function rawUpload({ body, headers }: FastifyRequest, name = ''): Upload {
  if (!(body instanceof Readable)) throw errors.REQUEST_INVALID({ detail: 'a body is needed' });
  return { name, mediaType: headers['content-type'], bytes: body };
}

async function storeForm(services: FileServices, request: FastifyRequest, sessionId?: string): Promise<FileInfo> {
  const { userId } = request.caller;
  let stored: FileInfo | undefined;
  let threadId: string | undefined;
  for await (const part of request.parts()) {
    if (part.type === 'file') stored = await storePart(services.files, userId, part);
    else if (part.fieldname === 'thread_id') threadId = ThreadId.parse(part.value);
  }
  if (!stored) throw errors.REQUEST_INVALID({ fields: [{ field: 'file', message: 'a file is needed' }] });
  const session = sessionId ?? (await sessionIdOf(services, userId, threadId));
  if (session) await services.files.attachOne(userId, session, stored.id);
  return stored;
}
