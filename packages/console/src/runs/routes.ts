import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';

export const RUN_VIEWS = ['timeline', 'actions', 'graph', 'calls', 'audit'] as const;
export type RunView = (typeof RUN_VIEWS)[number];

interface ListSearch {
  status?: 'failed';
}
interface RunSearch {
  view?: RunView;
}

function runSearch(search: Record<string, unknown>): RunSearch {
  const view = RUN_VIEWS.find((each) => each === search.view);
  return view ? { view } : {};
}

export const runRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/runs',
    validateSearch: ({ status }: Record<string, unknown>): ListSearch => (status === 'failed' ? { status } : {}),
    component: lazyRouteComponent(() => import('./runs-page.tsx'), 'RunsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/runs/$threadId/$runId',
    validateSearch: runSearch,
    component: lazyRouteComponent(() => import('./run-page.tsx'), 'RunPage'),
  }),
] as const;
