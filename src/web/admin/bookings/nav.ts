import { IconCalendar } from '@tabler/icons-react';
import { can } from '../../app/session/viewer.ts';
import type { NavSection } from '../nav-section.ts';

export const bookingsNav: NavSection = {
  label: 'Bookings',
  group: 'Space',
  path: 'bookings',
  icon: IconCalendar,
  isVisibleTo: (viewer) => can(viewer, 'bookings:read'),
  audience: 'staff who manage bookings',
  load: () => import('./BookingsPage.tsx').then(({ BookingsPage: Page }) => ({ Page })),
};
