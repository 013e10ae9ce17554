/** Fastify: what the wire looks like. Plugins for what every request needs, and a file of routes per resource. */
export { type AccessPolicy, createAccessPolicy } from './access.ts';
export { type App, type AppOptions, createApp, type Routes } from './app.ts';
export { requireAdmin, subjectOf } from './caller.ts';
export { routesOf, type Services } from './routes/index.ts';
