/** The server, as pages meet it: typed requests, problems, who is asking. */
export { type Identity, identity, identityHeaders, isUserIdForHeader } from './identity.ts';
export { useCurrentUser, useSettings, useStatus } from './me.ts';
export { randomId } from './random-id.ts';
export {
  ApiError,
  addressOf,
  api,
  type Contract,
  isApiError,
  type Query,
  type RequestOptions,
  segment,
  send,
} from './request.ts';
