import { may } from '../../session/viewer.ts';
import type { Section } from '../../shell/section.ts';
import { IconScreen } from '../../ui/icons.tsx';

export const displays: Section = {
  label: 'Displays',
  group: 'Space',
  path: 'displays',
  icon: IconScreen,
  isFor: (viewer) => may(viewer, 'displays:read'),
  audience: 'those who look after the displays',
  load: () => import('./DisplaysPage.tsx').then(({ DisplaysPage: Page }) => ({ Page })),
};
