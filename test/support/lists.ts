/** The lists of the GraphQL API that tests walk: each order forwards and backwards, and each relation. */
export interface ListCase {
  /** The field of Query. */
  field: string;
  /** The type of its orderBy argument, without a trailing Order. */
  node: string;
  sortKeys: readonly string[];
}

export const LISTS: readonly ListCase[] = [
  { field: 'bookings', node: 'Booking', sortKeys: ['STARTS_AT', 'CREATED_AT'] },
  { field: 'events', node: 'Event', sortKeys: ['STARTS_AT', 'CREATED_AT', 'TITLE'] },
  { field: 'orders', node: 'Order', sortKeys: ['CREATED_AT'] },
  { field: 'tickets', node: 'Ticket', sortKeys: ['CREATED_AT', 'ATTENDEE_NAME'] },
  { field: 'dayPasses', node: 'DayPass', sortKeys: ['CREATED_AT', 'VALID_ON'] },
  { field: 'payments', node: 'Payment', sortKeys: ['CREATED_AT'] },
  { field: 'refunds', node: 'Refund', sortKeys: ['CREATED_AT'] },
  { field: 'discountCodes', node: 'DiscountCode', sortKeys: ['CREATED_AT', 'CODE'] },
  { field: 'waitlist', node: 'WaitlistEntry', sortKeys: ['CREATED_AT'] },
  { field: 'checkIns', node: 'CheckInAttempt', sortKeys: ['RECORDED_AT', 'AT'] },
  { field: 'displays', node: 'Display', sortKeys: ['NAME', 'CREATED_AT'] },
  { field: 'announcements', node: 'Announcement', sortKeys: ['CREATED_AT', 'STARTS_AT'] },
  { field: 'members', node: 'Member', sortKeys: ['NAME', 'CREATED_AT'] },
  { field: 'teams', node: 'Team', sortKeys: ['NAME', 'CREATED_AT'] },
  { field: 'plans', node: 'Plan', sortKeys: ['NAME', 'CREATED_AT'] },
  { field: 'memberships', node: 'Membership', sortKeys: ['STARTS_ON', 'CREATED_AT'] },
  { field: 'locations', node: 'Location', sortKeys: ['NAME', 'CREATED_AT'] },
  { field: 'resources', node: 'Resource', sortKeys: ['NAME', 'CAPACITY', 'CREATED_AT'] },
  { field: 'staff', node: 'StaffUser', sortKeys: ['NAME', 'CREATED_AT'] },
  { field: 'apiTokens', node: 'ApiToken', sortKeys: ['NAME', 'CREATED_AT'] },
  { field: 'webhooks', node: 'Webhook', sortKeys: ['CREATED_AT'] },
  { field: 'webhookDeliveries', node: 'WebhookDelivery', sortKeys: ['CREATED_AT'] },
  { field: 'mails', node: 'Mail', sortKeys: ['CREATED_AT'] },
  { field: 'mailings', node: 'Mailing', sortKeys: ['CREATED_AT'] },
  { field: 'imports', node: 'Import', sortKeys: ['CREATED_AT'] },
  { field: 'importRows', node: 'ImportRow', sortKeys: ['LINE'] },
  { field: 'erasures', node: 'Erasure', sortKeys: ['CREATED_AT'] },
  { field: 'calendarFeeds', node: 'CalendarFeed', sortKeys: ['CREATED_AT'] },
  { field: 'changes', node: 'Change', sortKeys: ['POSITION'] },
];

/** A field of a type that lists what belongs to it, and the same rows as a query with a filter by the parent's id. */
export interface RelationCase {
  /** A query of parents, which ends in `{ nodes { id FIELD } }`. */
  parents: string;
  field: string;
  list: string;
  /** The filter of the list, in which $id is the parent's id. */
  filter: string;
}

const EVER = 'from: "2000-01-01T00:00:00Z"';
const EVENTS = `events(first: 25, filter: { ${EVER} })`;
const MEMBERS = 'members(first: 25)';
const TEAMS = 'teams(first: 25)';
const RESOURCES = 'resources(first: 25)';

export const RELATIONS: readonly RelationCase[] = [
  { parents: 'members(first: 25)', field: 'bookings', list: 'bookings', filter: 'memberId: $id' },
  { parents: 'members(first: 25)', field: 'orders', list: 'orders', filter: 'memberId: $id' },
  {
    parents: 'locations(first: 10)',
    field: 'bookings',
    list: 'bookings',
    filter: 'locationId: $id',
  },
  {
    parents: 'locations(first: 10)',
    field: 'mailings',
    list: 'mailings',
    filter: 'locationId: $id',
  },
  { parents: 'locations(first: 10)', field: 'events', list: 'events', filter: 'locationId: $id' },
  {
    parents: 'locations(first: 10)',
    field: 'displays',
    list: 'displays',
    filter: 'locationId: $id',
  },
  {
    parents: 'locations(first: 10)',
    field: 'checkIns',
    list: 'checkIns',
    filter: 'locationId: $id',
  },
  {
    parents: 'locations(first: 10)',
    field: 'announcements',
    list: 'announcements',
    filter: 'locationId: $id',
  },
  {
    parents: 'locations(first: 10)',
    field: 'dayPasses',
    list: 'dayPasses',
    filter: 'locationId: $id',
  },
  {
    parents: 'resources(first: 25)',
    field: 'bookings',
    list: 'bookings',
    filter: 'resourceId: $id',
  },
  { parents: 'resources(first: 25)', field: 'events', list: 'events', filter: 'resourceId: $id' },
  {
    parents: 'resources(first: 25)',
    field: 'displays',
    list: 'displays',
    filter: 'resourceId: $id',
  },
  { parents: EVENTS, field: 'orders', list: 'orders', filter: 'eventId: $id' },
  { parents: EVENTS, field: 'tickets', list: 'tickets', filter: 'eventId: $id' },
  { parents: EVENTS, field: 'waitlist', list: 'waitlist', filter: 'eventId: $id' },
  { parents: EVENTS, field: 'discountCodes', list: 'discountCodes', filter: 'eventId: $id' },
  { parents: EVENTS, field: 'mailings', list: 'mailings', filter: 'eventId: $id' },
  { parents: 'plans(first: 25)', field: 'mailings', list: 'mailings', filter: 'planId: $id' },
  { parents: 'mailings(first: 25)', field: 'mails', list: 'mails', filter: 'mailingId: $id' },
  { parents: 'orders(first: 25)', field: 'payments', list: 'payments', filter: 'orderId: $id' },
  { parents: TEAMS, field: 'members', list: 'members', filter: 'teamId: $id' },
  { parents: MEMBERS, field: 'memberships', list: 'memberships', filter: 'memberId: $id' },
  { parents: TEAMS, field: 'memberships', list: 'memberships', filter: 'teamId: $id' },
  { parents: 'plans(first: 25)', field: 'memberships', list: 'memberships', filter: 'planId: $id' },
  {
    parents: 'locations(first: 25)',
    field: 'resources',
    list: 'resources',
    filter: 'locationId: $id',
  },
  { parents: MEMBERS, field: 'calendarFeeds', list: 'calendarFeeds', filter: 'memberId: $id' },
  { parents: RESOURCES, field: 'calendarFeeds', list: 'calendarFeeds', filter: 'resourceId: $id' },
  {
    parents: 'webhooks(first: 25)',
    field: 'deliveries',
    list: 'webhookDeliveries',
    filter: 'webhookId: $id',
  },
];
