import { IconCreditCard } from '@tabler/icons-react';
import { can } from '../../app/session/viewer.ts';
import type { NavSection } from '../nav-section.ts';

export const plansNav: NavSection = {
  label: 'Plans',
  group: 'Space',
  path: 'plans',
  icon: IconCreditCard,
  isVisibleTo: (viewer) => can(viewer, 'plans:read'),
  audience: 'staff who manage members',
  load: () => import('./PlansPage.tsx').then(({ PlansPage: Page }) => ({ Page })),
};
