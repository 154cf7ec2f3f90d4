import { IconUser } from '@tabler/icons-react';
import { can } from '../../app/session/viewer.ts';
import type { NavSection } from '../nav-section.ts';

export const membersNav: NavSection = {
  label: 'Members',
  group: 'Space',
  path: 'members',
  icon: IconUser,
  isVisibleTo: (viewer) => can(viewer, 'members:read'),
  audience: 'staff who manage members',
  load: () => import('./MembersPage.tsx').then(({ MembersPage: Page }) => ({ Page })),
  pages: [
    {
      path: ':memberId',
      load: () => import('./MemberPage.tsx').then(({ MemberPage: Page }) => ({ Page })),
    },
  ],
};
