import helmet from '@fastify/helmet';
import type { App } from '../app.ts';

export type ContentSecurityPolicy = Readonly<Record<string, readonly string[]>>;

/** Nothing but our own files; a page that needs more says so for itself. */
export const strictPolicy: ContentSecurityPolicy = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'connect-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'manifest-src': ["'self'"],
  'base-uri': ["'self'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};

export const policyText = (policy: ContentSecurityPolicy) =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ');

export async function securityHeaders(app: App): Promise<void> {
  await app.register(helmet, {
    // Ours is set below, where a page can replace it. Whether a host is https only is its proxy's to say.
    contentSecurityPolicy: false,
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
  });
  const strict = policyText(strictPolicy);
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', strict);
  });
}
