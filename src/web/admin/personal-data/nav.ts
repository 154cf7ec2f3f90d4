import { IconUser } from '@tabler/icons-react';
import { isSpaceManager } from '../../app/session/viewer.ts';
import type { NavSection } from '../nav-section.ts';

export const personalDataNav: NavSection = {
  label: 'Personal data',
  group: 'Settings',
  path: 'settings/personal-data',
  icon: IconUser,
  isVisibleTo: isSpaceManager,
  audience: 'owners and managers',
  load: () => import('./PersonalDataPage.tsx').then(({ PersonalDataPage: Page }) => ({ Page })),
};
