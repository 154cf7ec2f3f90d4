import { IconWebhook } from '@tabler/icons-react';
import { can } from '../../app/session/viewer.ts';
import type { NavSection } from '../nav-section.ts';

export const webhooksNav: NavSection = {
  label: 'Webhooks',
  group: 'Settings',
  path: 'settings/webhooks',
  icon: IconWebhook,
  isVisibleTo: (viewer) => can(viewer, 'webhooks:read'),
  audience: 'owners and managers',
  load: () => import('./WebhooksPage.tsx').then(({ WebhooksPage: Page }) => ({ Page })),
  pages: [
    {
      path: ':webhookId',
      load: () => import('./WebhookPage.tsx').then(({ WebhookPage: Page }) => ({ Page })),
    },
  ],
};
