/** Who is calling, and as what: dev headers, JWTs, and the keys of services that act for users. */
export type { Caller, Credentials, UserRole } from './caller.ts';
export { createIdentity, type Identity } from './identity.ts';
export { isLoopback, refuseOpenDevAuth } from './loopback.ts';
export { createServiceKeys, type IssuedServiceKey, type ServiceKey, type ServiceKeys } from './service-keys.ts';
