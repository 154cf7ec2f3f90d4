/** Labels of tables, as used elsewhere in the panel. */
const TABLE_LABELS: Record<string, string> = {
  bookings: 'Bookings',
  calendar_feeds: 'Calendar URLs',
  check_ins: 'Check-ins',
  day_passes: 'Day passes',
  idempotency_keys: 'Idempotent requests',
  locations: 'Locations that notify this address',
  lookup_handles: 'Kiosk lookups',
  mails: 'Emails',
  members: 'Member',
  memberships: 'Memberships',
  orders: 'Orders',
  payments: 'Payments',
  provider_events: 'Payment provider events',
  rate_limits: 'Rate limit counters',
  refunds: 'Refunds',
  sessions: 'Sessions',
  sign_in_links: 'Sign-in links',
  tickets: 'Tickets',
  users: 'Account',
  waitlist_entries: 'Waiting-list entries',
  webhook_messages: 'Webhook deliveries',
};

export const formatTableName = (table: string) => TABLE_LABELS[table] ?? table.replaceAll('_', ' ');

export const formatDays = (days: number | null) =>
  days === null ? 'Forever' : days === 1 ? '1 day' : `${days} days`;

export const sumCounts = (counts: { count: number }[]) =>
  counts.reduce((sum, { count }) => sum + count, 0);
