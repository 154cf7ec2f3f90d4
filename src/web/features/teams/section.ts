import { may } from '../../session/viewer.ts';
import type { Section } from '../../shell/section.ts';
import { IconPeople } from '../../ui/icons.tsx';

export const teams: Section = {
  label: 'Teams',
  group: 'Space',
  path: 'teams',
  icon: IconPeople,
  isFor: (viewer) => may(viewer, 'members:read'),
  audience: 'those who look after the members',
  load: () => import('./TeamsPage.tsx').then(({ TeamsPage: Page }) => ({ Page })),
};
