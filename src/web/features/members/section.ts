import { may } from '../../session/viewer.ts';
import type { Section } from '../../shell/section.ts';
import { IconPerson } from '../../ui/icons.tsx';

export const members: Section = {
  label: 'Members',
  group: 'Space',
  path: 'members',
  icon: IconPerson,
  isFor: (viewer) => may(viewer, 'members:read'),
  audience: 'those who look after the members',
  load: () => import('./MembersPage.tsx').then(({ MembersPage: Page }) => ({ Page })),
  pages: [
    {
      path: ':memberId',
      load: () => import('./MemberPage.tsx').then(({ MemberPage: Page }) => ({ Page })),
    },
  ],
};
