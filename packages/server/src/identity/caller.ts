export type UserRole = 'user' | 'admin';

/** Whoever stands behind a request. */
export interface Caller {
  userId: string;
  role: UserRole;
  /** The label of the service key, when a service calls for itself or on behalf of a user. */
  service?: string;
}

/** What a request brings along to say who it is, before any of it is believed. */
export interface Credentials {
  /** Of the `Authorization: Bearer …` header. */
  bearer?: string;
  /** Of the query, where a browser cannot set headers (EventSource, WebSocket): a JWT, never a service key. */
  queryToken?: string;
  /** `X-User-Id` and `X-User-Role`: believed in dev auth only. */
  userId?: string;
  role?: string;
  /** `X-On-Behalf-Of`: believed with a service key only. */
  onBehalfOf?: string;
}
