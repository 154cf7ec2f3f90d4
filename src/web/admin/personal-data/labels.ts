/** Tables by the names that the panel uses elsewhere. */
const TABLE_LABELS: Record<string, string> = {
  bookings: 'Bookings',
  calendar_feeds: 'Calendar addresses',
  check_ins: 'Check-ins',
  day_passes: 'Day passes',
  idempotency_keys: 'Recent requests',
  locations: 'Locations with this address for hosts',
  lookup_handles: 'Lookups at a kiosk',
  mails: 'Mails',
  members: 'Member',
  memberships: 'Memberships',
  orders: 'Orders',
  payments: 'Payments',
  provider_events: 'Messages of the payment provider',
  rate_limits: 'Counters of attempts',
  refunds: 'Refunds',
  sessions: 'Sessions',
  sign_in_links: 'Sign-in links',
  tickets: 'Tickets',
  users: 'Account',
  waitlist_entries: 'Waiting-list entries',
  webhook_messages: 'Messages to webhooks',
};

export const formatTableName = (table: string) => TABLE_LABELS[table] ?? table.replaceAll('_', ' ');

export const formatDays = (days: number | null) =>
  days === null ? 'Forever' : days === 1 ? '1 day' : `${days} days`;

export const sumCounts = (counts: { count: number }[]) =>
  counts.reduce((sum, { count }) => sum + count, 0);
