import { IconTicket } from '@tabler/icons-react';
import { can } from '../../app/session/viewer.ts';
import type { NavSection } from '../nav-section.ts';

export const eventsNav: NavSection = {
  label: 'Events',
  group: 'Space',
  path: 'events',
  icon: IconTicket,
  isVisibleTo: (viewer) => can(viewer, 'events:read'),
  audience: 'staff who manage events',
  load: () => import('./EventsPage.tsx').then(({ EventsPage: Page }) => ({ Page })),
  pages: [
    {
      path: ':eventId',
      load: () => import('./EventPage.tsx').then(({ EventPage: Page }) => ({ Page })),
    },
  ],
};
