import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';

export const adminRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin',
    component: lazyRouteComponent(() => import('./admin-page.tsx'), 'AdminPage'),
  }),
] as const;
