import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../app/root-route.tsx';

export const CALENDAR_VIEWS = ['month', 'week', 'day'] as const;
export type CalendarView = (typeof CALENDAR_VIEWS)[number];

/** Which part of the calendar is shown; a plain date, in the user's own zone. */
interface CalendarSearch {
  view?: CalendarView;
  date?: string;
}

function calendarSearch({ view, date }: Record<string, unknown>): CalendarSearch {
  const known = CALENDAR_VIEWS.find((each) => each === view);
  return {
    ...(known ? { view: known } : {}),
    ...(typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date) ? { date } : {}),
  };
}

const getParentRoute = () => rootRoute;

export const meRoutes = [
  createRoute({
    getParentRoute,
    path: '/me',
    component: lazyRouteComponent(() => import('./profile/profile-page.tsx'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/me/memory',
    component: lazyRouteComponent(() => import('./memory/memory-page.tsx'), 'MemoryPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/me/automations',
    component: lazyRouteComponent(() => import('./automations/automations-page.tsx'), 'AutomationsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/me/calendar',
    validateSearch: calendarSearch,
    component: lazyRouteComponent(() => import('./calendar/calendar-page.tsx'), 'CalendarPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/me/contacts',
    component: lazyRouteComponent(() => import('./contacts/contacts-page.tsx'), 'ContactsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/me/files',
    component: lazyRouteComponent(() => import('./files/files-page.tsx'), 'FilesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/me/data',
    component: lazyRouteComponent(() => import('./data/data-page.tsx'), 'DataPage'),
  }),
] as const;
