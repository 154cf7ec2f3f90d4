import type { RouteObject } from 'react-router';
import { PageLoader } from '../components/PageLayout.tsx';

/** Pages for signed-in members. */
export const memberRoutes: RouteObject = {
  lazy: () => import('./MemberShell.tsx'),
  HydrateFallback: PageLoader,
  children: [
    { index: true, lazy: () => import('./bookings/MyBookingsPage.tsx') },
    { path: 'book', lazy: () => import('./book/BookPage.tsx') },
    { path: 'plan', lazy: () => import('./membership/MyPlanPage.tsx') },
  ],
};
