import { may } from '../../session/viewer.ts';
import type { Section } from '../../shell/section.ts';
import { IconWebhook } from '../../ui/icons.tsx';

export const webhooks: Section = {
  label: 'Webhooks',
  group: 'Settings',
  path: 'settings/webhooks',
  icon: IconWebhook,
  isFor: (viewer) => may(viewer, 'webhooks:read'),
  audience: 'owners and managers',
  load: () => import('./WebhooksPage.tsx').then(({ WebhooksPage: Page }) => ({ Page })),
  pages: [
    {
      path: ':webhookId',
      load: () => import('./WebhookPage.tsx').then(({ WebhookPage: Page }) => ({ Page })),
    },
  ],
};
