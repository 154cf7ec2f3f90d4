import { managesSpace } from '../../session/viewer.ts';
import type { Section } from '../../shell/section.ts';
import { IconKey } from '../../ui/icons.tsx';

export const apiKeys: Section = {
  label: 'API keys',
  group: 'Settings',
  path: 'settings/api-keys',
  icon: IconKey,
  isFor: managesSpace,
  audience: 'owners and managers',
  load: () => import('./ApiKeysPage.tsx').then(({ ApiKeysPage: Page }) => ({ Page })),
};
