import type { Identity } from '../../identity/index.ts';
import type { Users } from '../../users/index.ts';
import type { Routes } from '../app.ts';
import { profileRoutes } from './profiles.ts';

/** What routes are made of: the rooms, as `compose.ts` builds them. A file of routes asks for those it needs. */
export interface Services {
  identity: Identity;
  users: Users;
}

/** Every file of routes, once. */
export function routesOf(services: Services): Routes[] {
  return [profileRoutes(services)];
}
