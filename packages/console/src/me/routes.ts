import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';

export const meRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/me',
    component: lazyRouteComponent(() => import('./me-page.tsx'), 'MePage'),
  }),
] as const;
