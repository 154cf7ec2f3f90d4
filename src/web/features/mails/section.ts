import { managesSpace } from '../../session/viewer.ts';
import type { Section } from '../../shell/section.ts';
import { IconMail } from '../../ui/icons.tsx';

export const mails: Section = {
  label: 'Mails',
  group: 'Settings',
  path: 'settings/mails',
  icon: IconMail,
  isFor: managesSpace,
  audience: 'owners and managers',
  load: () => import('./MailsPage.tsx').then(({ MailsPage: Page }) => ({ Page })),
};
