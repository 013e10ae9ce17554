import { PassThrough, Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { errors, isKithError } from '../../errors/index.ts';
import type { Upload } from '../../files/index.ts';

/**
 * Works on the file that a request brings, in a form or as its body. One that breaks off is a fault of the request; what is
 * left of one that was refused runs out unread, because the next request on the line waits behind it.
 */
export async function takeUpload<Value>(
  request: FastifyRequest,
  name: string | undefined,
  work: (upload: Upload) => Promise<Value>,
): Promise<Value> {
  const { source, ...about } = await sourceOf(request, name);
  try {
    return await work({ ...about, bytes: apart(source) });
  } catch (error) {
    source.unpipe();
    source.resume();
    throw source.errored ? errors.REQUEST_INVALID({ detail: 'the upload broke off' }, error) : error;
  }
}

async function sourceOf(request: FastifyRequest, name = '') {
  if (!request.isMultipart()) {
    if (!(request.body instanceof Readable)) throw errors.REQUEST_INVALID({ detail: 'a body is needed' });
    return { name, mediaType: request.headers['content-type'], source: request.body };
  }
  const part = await request.file().catch((error: unknown) => {
    throw isKnown(error) ? error : errors.REQUEST_INVALID({ detail: 'the form is not valid' }, error);
  });
  if (!part) throw errors.REQUEST_INVALID({ fields: [{ field: 'file', message: 'a file is needed' }] });
  return { name: part.filename, mediaType: part.mimetype, source: part.file };
}

/** Whoever gives up on the bytes must not cut the line on which the answer goes out. */
function apart(source: Readable): Readable {
  const bytes = new PassThrough();
  const breakOff = (error: Error) => bytes.destroy(error);
  if (source.errored) breakOff(source.errored);
  source.once('error', breakOff);
  return source.pipe(bytes);
}

/** The form's own errors have codes of the framework. */
const isKnown = (error: unknown): boolean =>
  isKithError(error) || (error instanceof Error && 'code' in error && String(error.code).startsWith('FST_'));
