import { createRouter } from '@tanstack/react-router';
import { adminRoutes } from '../admin/routes.ts';
import { chatRoutes } from '../chat/routes.ts';
import { meRoutes } from '../me/routes.ts';
import { runRoutes } from '../runs/routes.ts';
import { Broken, rootRoute } from './root-route.tsx';

/** Pages are loaded when they are first opened, or when a link to them is about to be. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([...chatRoutes, ...meRoutes, ...runRoutes, ...adminRoutes]),
  basepath: new URL(document.baseURI).pathname,
  defaultPreload: 'intent',
  defaultErrorComponent: Broken,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
