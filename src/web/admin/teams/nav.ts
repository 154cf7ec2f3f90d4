import { IconUsers } from '@tabler/icons-react';
import { can } from '../../app/session/viewer.ts';
import type { NavSection } from '../nav-section.ts';

export const teamsNav: NavSection = {
  label: 'Teams',
  group: 'Space',
  path: 'teams',
  icon: IconUsers,
  isVisibleTo: (viewer) => can(viewer, 'members:read'),
  audience: 'staff who manage members',
  load: () => import('./TeamsPage.tsx').then(({ TeamsPage: Page }) => ({ Page })),
};
