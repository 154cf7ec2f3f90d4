import { IconMail } from '@tabler/icons-react';
import { isSpaceManager } from '../../app/session/viewer.ts';
import type { NavSection } from '../nav-section.ts';

export const mailsNav: NavSection = {
  label: 'Emails',
  group: 'Settings',
  path: 'settings/mails',
  icon: IconMail,
  isVisibleTo: isSpaceManager,
  audience: 'owners and managers',
  load: () => import('./MailsPage.tsx').then(({ MailsPage: Page }) => ({ Page })),
};
