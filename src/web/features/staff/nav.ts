import { managesSpace } from '../../session/viewer.ts';
import type { Section } from '../../shell/section.ts';
import { IconPeople } from '../../ui/icons.tsx';

export const staff: Section = {
  label: 'Staff',
  group: 'Settings',
  path: 'settings/staff',
  icon: IconPeople,
  isFor: managesSpace,
  audience: 'owners and managers',
  load: () => import('./StaffPage.tsx').then(({ StaffPage: Page }) => ({ Page })),
};
