import { isSpaceManager } from '../../app/session/viewer.ts';
import { IconPeople } from '../../ui/icons.tsx';
import type { NavSection } from '../nav-section.ts';

export const staffNav: NavSection = {
  label: 'Staff',
  group: 'Settings',
  path: 'settings/staff',
  icon: IconPeople,
  isVisibleTo: isSpaceManager,
  audience: 'owners and managers',
  load: () => import('./StaffPage.tsx').then(({ StaffPage: Page }) => ({ Page })),
};
