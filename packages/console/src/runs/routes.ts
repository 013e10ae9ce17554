import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';

export const runRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/runs',
    component: lazyRouteComponent(() => import('./runs-page.tsx'), 'RunsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/runs/$threadId/$runId',
    component: lazyRouteComponent(() => import('./runs-page.tsx'), 'RunsPage'),
  }),
] as const;
