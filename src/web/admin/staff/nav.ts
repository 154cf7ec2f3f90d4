import { IconUsers } from '@tabler/icons-react';
import { isSpaceManager } from '../../app/session/viewer.ts';
import type { NavSection } from '../nav-section.ts';

export const staffNav: NavSection = {
  label: 'Staff',
  group: 'Settings',
  path: 'settings/staff',
  icon: IconUsers,
  isVisibleTo: isSpaceManager,
  audience: 'owners and managers',
  load: () => import('./StaffPage.tsx').then(({ StaffPage: Page }) => ({ Page })),
};
