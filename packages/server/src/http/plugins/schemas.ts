import { InvalidSchemaError, ResponseSerializationError } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errors, fieldErrorsOf } from '../../errors/index.ts';
import type { App } from '../app.ts';

/** Zod at both ends: what comes in is parsed, and what goes out is checked and cut to what its schema names. */
export function schemas(app: App): void {
  app.setValidatorCompiler(({ schema, method, url, httpPart = 'body' }) => {
    if (!(schema instanceof z.ZodType)) throw new InvalidSchemaError(`${method} ${url}`);
    const root = httpPart === 'querystring' ? 'query' : httpPart;
    return (data: unknown) => {
      const result = schema.safeParse(data);
      if (result.success) return { value: result.data };
      return { error: errors.REQUEST_INVALID({ fields: fieldErrorsOf(result.error, root) }) };
    };
  });
  // Parsed, and not encoded as the type provider would: our schemas normalise (upper case, defaults), which has no way back.
  app.setSerializerCompiler(({ schema, method, url }) => {
    if (!(schema instanceof z.ZodType)) throw new InvalidSchemaError(`${method} ${url}`);
    return (data) => {
      const result = schema.safeParse(data);
      if (!result.success) throw new ResponseSerializationError(method, url, { cause: result.error });
      return JSON.stringify(result.data);
    };
  });
  // A form or plain text can be posted by any web page without asking first; JSON cannot.
  app.removeContentTypeParser('text/plain');
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parseJson(request, body.toString(), done);
  });
}
