import { IconSun } from '@tabler/icons-react';
import { can } from '../../app/session/viewer.ts';
import type { NavSection } from '../nav-section.ts';

export const dayPassesNav: NavSection = {
  label: 'Day passes',
  group: 'Space',
  path: 'day-passes',
  icon: IconSun,
  isVisibleTo: (viewer) => can(viewer, 'day-passes:read'),
  audience: 'staff who manage day passes',
  load: () => import('./DayPassesPage.tsx').then(({ DayPassesPage: Page }) => ({ Page })),
};
