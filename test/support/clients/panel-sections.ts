import type { StaffRole } from '../../../src/db/generated/client.ts';

/** A section of the panel. */
export interface PanelSection {
  label: string;
  path: string;
  /** Reads what the section is about. */
  query: string;
  /** The roles that can open it. */
  roles: StaffRole[];
}

const EVERYONE: StaffRole[] = ['owner', 'manager', 'front_desk'];
const MANAGERS: StaffRole[] = ['owner', 'manager'];

const list = (field: string) => `{ ${field}(first: 1) { nodes { id } } }`;

/** The sections of the panel in the order of its navigation, and who can open them. */
export const PANEL_SECTIONS: PanelSection[] = [
  { label: 'Bookings', path: 'bookings', query: list('bookings'), roles: EVERYONE },
  { label: 'Front desk', path: 'front-desk', query: list('checkIns'), roles: EVERYONE },
  { label: 'Events', path: 'events', query: list('events'), roles: EVERYONE },
  { label: 'Orders', path: 'orders', query: list('orders'), roles: EVERYONE },
  { label: 'Takings', path: 'takings', query: list('payments'), roles: EVERYONE },
  { label: 'Day passes', path: 'day-passes', query: list('dayPasses'), roles: EVERYONE },
  { label: 'Spaces', path: 'spaces', query: list('locations'), roles: EVERYONE },
  { label: 'Members', path: 'members', query: list('members'), roles: EVERYONE },
  { label: 'Teams', path: 'teams', query: list('teams'), roles: EVERYONE },
  { label: 'Plans', path: 'plans', query: list('plans'), roles: EVERYONE },
  { label: 'Mailings', path: 'mailings', query: list('mailings'), roles: MANAGERS },
  { label: 'Displays', path: 'displays', query: list('displays'), roles: EVERYONE },
  { label: 'Staff', path: 'settings/staff', query: list('staff'), roles: MANAGERS },
  {
    ...{ label: 'Name, language and tax', path: 'settings/language' },
    ...{ query: '{ settings { name language } }', roles: MANAGERS },
  },
  { label: 'API keys', path: 'settings/api-keys', query: list('apiTokens'), roles: MANAGERS },
  { label: 'Webhooks', path: 'settings/webhooks', query: list('webhooks'), roles: MANAGERS },
  { label: 'Emails', path: 'settings/mails', query: list('mails'), roles: MANAGERS },
  {
    ...{ label: 'Email templates', path: 'settings/email-templates' },
    ...{ query: '{ emailTemplates { key } }', roles: MANAGERS },
  },
  { label: 'Imports', path: 'settings/imports', query: list('imports'), roles: MANAGERS },
  { label: 'Audit log', path: 'settings/audit-log', query: list('changes'), roles: MANAGERS },
  {
    ...{ label: 'Personal data', path: 'settings/personal-data' },
    ...{ query: list('erasures'), roles: MANAGERS },
  },
  {
    ...{ label: 'System', path: 'settings/system' },
    ...{ query: '{ systemStatus { checkedAt } }', roles: MANAGERS },
  },
];
