import { can } from '../../app/session/viewer.ts';
import { IconPeople } from '../../ui/icons.tsx';
import type { NavSection } from '../nav-section.ts';

export const teamsNav: NavSection = {
  label: 'Teams',
  group: 'Space',
  path: 'teams',
  icon: IconPeople,
  isVisibleTo: (viewer) => can(viewer, 'members:read'),
  audience: 'those who look after the members',
  load: () => import('./TeamsPage.tsx').then(({ TeamsPage: Page }) => ({ Page })),
};
