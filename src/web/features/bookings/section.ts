import { may } from '../../session/viewer.ts';
import type { Section } from '../../shell/section.ts';
import { IconCalendar } from '../../ui/icons.tsx';

export const bookings: Section = {
  label: 'Bookings',
  group: 'Space',
  path: 'bookings',
  icon: IconCalendar,
  isFor: (viewer) => may(viewer, 'bookings:read'),
  audience: 'those who look after the bookings',
  load: () => import('./BookingsPage.tsx').then(({ BookingsPage: Page }) => ({ Page })),
};
