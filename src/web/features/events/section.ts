import { may } from '../../session/viewer.ts';
import type { Section } from '../../shell/section.ts';
import { IconEvent } from '../../ui/icons.tsx';

export const events: Section = {
  label: 'Events',
  group: 'Space',
  path: 'events',
  icon: IconEvent,
  isFor: (viewer) => may(viewer, 'events:read'),
  audience: 'those who look after the events',
  load: () => import('./EventsPage.tsx').then(({ EventsPage: Page }) => ({ Page })),
  pages: [
    {
      path: ':eventId',
      load: () => import('./EventPage.tsx').then(({ EventPage: Page }) => ({ Page })),
    },
  ],
};
