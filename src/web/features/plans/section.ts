import { may } from '../../session/viewer.ts';
import type { Section } from '../../shell/section.ts';
import { IconPlan } from '../../ui/icons.tsx';

export const plans: Section = {
  label: 'Plans',
  group: 'Space',
  path: 'plans',
  icon: IconPlan,
  isFor: (viewer) => may(viewer, 'plans:read'),
  audience: 'those who look after the members',
  load: () => import('./PlansPage.tsx').then(({ PlansPage: Page }) => ({ Page })),
};
