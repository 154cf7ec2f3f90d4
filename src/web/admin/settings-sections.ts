import {
  IconActivity,
  IconFileImport,
  IconHistory,
  IconKey,
  IconLanguage,
  IconMail,
  IconTemplate,
  IconUser,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { NavSection } from './nav-section.ts';

/** The sections of the settings, in the order of the navigation. */
export const settingsSections: NavSection[] = [
  {
    label: 'Staff',
    group: 'Settings',
    path: 'settings/staff',
    icon: IconUsers,
    access: 'managers',
    audience: 'owners and managers',
    load: () => import('./staff/StaffPage.tsx').then(({ StaffPage: Page }) => ({ Page })),
  },
  {
    label: 'Name, language and tax',
    group: 'Settings',
    path: 'settings/language',
    icon: IconLanguage,
    access: 'managers',
    audience: 'owners and managers',
    load: () =>
      import('./space-settings/SpaceSettingsPage.tsx').then(({ SpaceSettingsPage: Page }) => ({
        Page,
      })),
  },
  {
    label: 'API keys',
    group: 'Settings',
    path: 'settings/api-keys',
    icon: IconKey,
    access: 'managers',
    audience: 'owners and managers',
    load: () => import('./api-keys/ApiKeysPage.tsx').then(({ ApiKeysPage: Page }) => ({ Page })),
  },
  {
    label: 'Webhooks',
    group: 'Settings',
    path: 'settings/webhooks',
    icon: IconWebhook,
    access: 'webhooks:read',
    audience: 'owners and managers',
    load: () => import('./webhooks/WebhooksPage.tsx').then(({ WebhooksPage: Page }) => ({ Page })),
    pages: [
      {
        path: ':webhookId',
        load: () =>
          import('./webhooks/WebhookPage.tsx').then(({ WebhookPage: Page }) => ({ Page })),
      },
    ],
  },
  {
    label: 'Emails',
    group: 'Settings',
    path: 'settings/mails',
    icon: IconMail,
    access: 'managers',
    audience: 'owners and managers',
    load: () => import('./mails/MailsPage.tsx').then(({ MailsPage: Page }) => ({ Page })),
  },
  {
    label: 'Email templates',
    group: 'Settings',
    path: 'settings/email-templates',
    icon: IconTemplate,
    access: 'managers',
    audience: 'owners and managers',
    load: () =>
      import('./email-templates/EmailTemplatesPage.tsx').then(({ EmailTemplatesPage: Page }) => ({
        Page,
      })),
    pages: [
      {
        path: ':templateKey',
        load: () =>
          import('./email-templates/EmailTemplatePage.tsx').then(({ EmailTemplatePage: Page }) => ({
            Page,
          })),
      },
    ],
  },
  {
    label: 'Imports',
    group: 'Settings',
    path: 'settings/imports',
    icon: IconFileImport,
    access: 'managers',
    audience: 'owners and managers',
    load: () => import('./imports/ImportsPage.tsx').then(({ ImportsPage: Page }) => ({ Page })),
    pages: [
      {
        path: ':importId',
        load: () => import('./imports/ImportPage.tsx').then(({ ImportPage: Page }) => ({ Page })),
      },
    ],
  },
  {
    label: 'Audit log',
    group: 'Settings',
    path: 'settings/audit-log',
    icon: IconHistory,
    access: 'managers',
    audience: 'owners and managers',
    load: () => import('./audit-log/AuditLogPage.tsx').then(({ AuditLogPage: Page }) => ({ Page })),
  },
  {
    label: 'Personal data',
    group: 'Settings',
    path: 'settings/personal-data',
    icon: IconUser,
    access: 'managers',
    audience: 'owners and managers',
    load: () =>
      import('./personal-data/PersonalDataPage.tsx').then(({ PersonalDataPage: Page }) => ({
        Page,
      })),
  },
  {
    label: 'System',
    group: 'Settings',
    path: 'settings/system',
    icon: IconActivity,
    access: 'managers',
    audience: 'owners and managers',
    load: () => import('./system/SystemPage.tsx').then(({ SystemPage: Page }) => ({ Page })),
  },
];
