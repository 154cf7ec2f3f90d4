import type { RouteObject } from 'react-router';
import { PageLoader } from '../ui/PageLoader.tsx';

/** What anybody may open, signed in or not. */
export const publicPages: RouteObject = {
  lazy: () => import('./PublicShell.tsx'),
  HydrateFallback: PageLoader,
  children: [
    { path: 'events', lazy: () => import('./events/EventsPage.tsx') },
    { path: 'events/:slug', lazy: () => import('./events/EventPage.tsx') },
    { path: 'day-passes', lazy: () => import('./day-passes/DayPassesPage.tsx') },
    { path: 'orders', lazy: () => import('./orders/OrdersPage.tsx') },
    { path: 'ticket', lazy: () => import('./ticket/TicketPage.tsx') },
    { path: 'waitlist', lazy: () => import('./waitlist/WaitlistPage.tsx') },
    { path: '*', lazy: () => import('./NoSuchPage.tsx') },
  ],
};

/** The first steps of their paths: all else below them is theirs too. */
export const PUBLIC_PLACES = ['events', 'orders', 'ticket', 'waitlist', 'day-passes'];
