import { may } from '../../session/viewer.ts';
import type { Section } from '../../shell/section.ts';
import { IconDoor } from '../../ui/icons.tsx';

export const spaces: Section = {
  label: 'Spaces',
  group: 'Space',
  path: 'spaces',
  icon: IconDoor,
  isFor: (viewer) => may(viewer, 'spaces:read'),
  audience: 'those who look after the spaces',
  load: () => import('./SpacesPage.tsx').then(({ SpacesPage: Page }) => ({ Page })),
  pages: [
    {
      path: ':locationId',
      load: () => import('./LocationPage.tsx').then(({ LocationPage: Page }) => ({ Page })),
    },
  ],
};
