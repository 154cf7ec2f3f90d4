import { managesSpace } from '../../session/viewer.ts';
import type { Section } from '../../shell/section.ts';
import { IconPerson } from '../../ui/icons.tsx';

export const personalData: Section = {
  label: 'Personal data',
  group: 'Settings',
  path: 'settings/personal-data',
  icon: IconPerson,
  isFor: managesSpace,
  audience: 'owners and managers',
  load: () => import('./PersonalDataPage.tsx').then(({ PersonalDataPage: Page }) => ({ Page })),
};
