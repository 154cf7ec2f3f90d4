import { IconDeviceDesktop } from '@tabler/icons-react';
import { can } from '../../app/session/viewer.ts';
import type { NavSection } from '../nav-section.ts';

export const displaysNav: NavSection = {
  label: 'Displays',
  group: 'Space',
  path: 'displays',
  icon: IconDeviceDesktop,
  isVisibleTo: (viewer) => can(viewer, 'displays:read'),
  audience: 'staff who manage displays',
  load: () => import('./DisplaysPage.tsx').then(({ DisplaysPage: Page }) => ({ Page })),
};
