import type { RouteObject } from 'react-router';
import { PageLoader } from '../ui/PageLoader.tsx';

/** What a member who has signed in may open. */
export const myPages: RouteObject = {
  lazy: () => import('./MyShell.tsx'),
  HydrateFallback: PageLoader,
  children: [
    { index: true, lazy: () => import('./bookings/MyBookingsPage.tsx') },
    { path: 'book', lazy: () => import('./book/BookPage.tsx') },
    { path: 'plan', lazy: () => import('./plan/MyPlanPage.tsx') },
  ],
};
