import type { RouteObject } from 'react-router';
import { CrashPage } from '../components/CrashPage.tsx';
import { PageLoader } from '../components/PageLayout.tsx';

/** Pages that are open to everyone. */
const publicRoutes: RouteObject = {
  lazy: () => import('./PublicShell.tsx'),
  HydrateFallback: PageLoader,
  children: [
    { path: 'events', lazy: () => import('./events/EventsPage.tsx') },
    { path: 'events/:slug', lazy: () => import('./events/EventPage.tsx') },
    { path: 'day-passes', lazy: () => import('./day-passes/DayPassesPage.tsx') },
    { path: 'orders', lazy: () => import('./orders/OrdersPage.tsx') },
    { path: 'ticket', lazy: () => import('./TicketPage.tsx') },
    { path: 'waitlist', lazy: () => import('./waitlist/WaitlistPage.tsx') },
    { path: 'email-preferences', lazy: () => import('./EmailPreferencesPage.tsx') },
    { path: '*', lazy: () => import('./PublicNotFoundPage.tsx') },
  ],
};

/** The routes below the service's base URL: the public pages, and `others`. */
export const toPublicRouterRoutes = (others: RouteObject[] = []): RouteObject[] => [
  {
    errorElement: <CrashPage />,
    HydrateFallback: PageLoader,
    children: [...others, publicRoutes],
  },
];

/** First segments of the public paths. Everything below them belongs to the public pages, too. */
export const PUBLIC_PATHS = [
  'events',
  'orders',
  'ticket',
  'waitlist',
  'day-passes',
  'email-preferences',
];
