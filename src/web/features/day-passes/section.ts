import { may } from '../../session/viewer.ts';
import type { Section } from '../../shell/section.ts';
import { IconDay } from '../../ui/icons.tsx';

export const dayPasses: Section = {
  label: 'Day passes',
  group: 'Space',
  path: 'day-passes',
  icon: IconDay,
  isFor: (viewer) => may(viewer, 'day-passes:read'),
  audience: 'those who look after the day passes',
  load: () => import('./DayPassesPage.tsx').then(({ DayPassesPage: Page }) => ({ Page })),
};
