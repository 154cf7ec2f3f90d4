import { IconDoor } from '@tabler/icons-react';
import { can } from '../../app/session/viewer.ts';
import type { NavSection } from '../nav-section.ts';

export const spacesNav: NavSection = {
  label: 'Spaces',
  group: 'Space',
  path: 'spaces',
  icon: IconDoor,
  isVisibleTo: (viewer) => can(viewer, 'spaces:read'),
  audience: 'staff who manage spaces',
  load: () => import('./SpacesPage.tsx').then(({ SpacesPage: Page }) => ({ Page })),
  pages: [
    {
      path: ':locationId',
      load: () => import('./LocationPage.tsx').then(({ LocationPage: Page }) => ({ Page })),
    },
  ],
};
