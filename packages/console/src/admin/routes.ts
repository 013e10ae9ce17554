import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';

const getParentRoute = () => rootRoute;

export const COST_SPANS = [7, 30, 90] as const;
interface CostSearch {
  days?: (typeof COST_SPANS)[number];
}

function costSearch(search: Record<string, unknown>): CostSearch {
  const days = COST_SPANS.find((each) => each === Number(search.days));
  return days ? { days } : {};
}

export const adminRoutes = [
  createRoute({
    getParentRoute,
    path: '/admin',
    validateSearch: costSearch,
    component: lazyRouteComponent(() => import('./costs/costs-page.tsx'), 'CostsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/models',
    component: lazyRouteComponent(() => import('./registry/registry-page.tsx'), 'RegistryPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/stages',
    component: lazyRouteComponent(() => import('./stages/stages-page.tsx'), 'StagesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/prices',
    component: lazyRouteComponent(() => import('./prices/prices-page.tsx'), 'PricesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/users',
    component: lazyRouteComponent(() => import('./users/users-page.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/health',
    component: lazyRouteComponent(() => import('./health/health-page.tsx'), 'HealthPage'),
  }),
] as const;
