import { IconKey } from '@tabler/icons-react';
import { isSpaceManager } from '../../app/session/viewer.ts';
import type { NavSection } from '../nav-section.ts';

export const apiKeysNav: NavSection = {
  label: 'API keys',
  group: 'Settings',
  path: 'settings/api-keys',
  icon: IconKey,
  isVisibleTo: isSpaceManager,
  audience: 'owners and managers',
  load: () => import('./ApiKeysPage.tsx').then(({ ApiKeysPage: Page }) => ({ Page })),
};
