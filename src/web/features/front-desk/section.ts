import { may } from '../../session/viewer.ts';
import type { Section } from '../../shell/section.ts';
import { IconDesk } from '../../ui/icons.tsx';

export const frontDesk: Section = {
  label: 'Front desk',
  group: 'Space',
  path: 'front-desk',
  icon: IconDesk,
  isFor: (viewer) => may(viewer, 'check-ins:read'),
  audience: 'those who look after the door',
  load: () => import('./FrontDeskPage.tsx').then(({ FrontDeskPage: Page }) => ({ Page })),
};
