import { can } from '../../app/session/viewer.ts';
import { IconDesk } from '../../ui/icons.tsx';
import type { NavSection } from '../nav-section.ts';

export const frontDeskNav: NavSection = {
  label: 'Front desk',
  group: 'Space',
  path: 'front-desk',
  icon: IconDesk,
  isVisibleTo: (viewer) => can(viewer, 'check-ins:read'),
  audience: 'those who look after the door',
  load: () => import('./FrontDeskPage.tsx').then(({ FrontDeskPage: Page }) => ({ Page })),
};
