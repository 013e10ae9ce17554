import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';

const page = lazyRouteComponent(() => import('./chat-page.tsx'), 'ChatPage');

export const chatRoutes = [
  createRoute({ getParentRoute: () => rootRoute, path: '/', component: page }),
  createRoute({ getParentRoute: () => rootRoute, path: '/chat/$threadId', component: page }),
] as const;
