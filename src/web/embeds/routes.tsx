import type { RouteObject } from 'react-router';
import { CrashPage } from '../components/CrashPage.tsx';
import { PageLoader } from '../components/PageLayout.tsx';

/** The widgets. Events have the pages that visitors of this site see, without its header. */
export const embedRoutes: RouteObject[] = [
  {
    lazy: () => import('./EmbedShell.tsx'),
    errorElement: <CrashPage />,
    HydrateFallback: PageLoader,
    children: [
      { path: 'events', lazy: () => import('../public/events/EventsPage.tsx') },
      { path: 'events/:slug', lazy: () => import('../public/events/EventPage.tsx') },
      { path: 'rooms', lazy: () => import('./RoomsPage.tsx') },
      { path: 'orders', lazy: () => import('./PlacedOrderPage.tsx') },
      { path: '*', lazy: () => import('../public/PublicNotFoundPage.tsx') },
    ],
  },
];
