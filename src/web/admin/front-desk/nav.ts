import { IconBell } from '@tabler/icons-react';
import { can } from '../../app/session/viewer.ts';
import type { NavSection } from '../nav-section.ts';

export const frontDeskNav: NavSection = {
  label: 'Front desk',
  group: 'Space',
  path: 'front-desk',
  icon: IconBell,
  isVisibleTo: (viewer) => can(viewer, 'check-ins:read'),
  audience: 'staff who check people in',
  load: () => import('./FrontDeskPage.tsx').then(({ FrontDeskPage: Page }) => ({ Page })),
};
