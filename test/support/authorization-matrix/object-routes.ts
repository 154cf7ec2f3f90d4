import {
  type Caller,
  type Entry,
  MANAGERS_AND_TOKENS,
  STAFF_AND_TOKENS,
  UNKNOWN_ID,
} from './callers.ts';

/** Members pass where they have a scope for their own rows, and find nothing else. */
const WITH_MEMBERS: Caller[] = [...STAFF_AND_TOKENS, 'member'];
const OWNERS_AND_TOKENS: Caller[] = ['token with', 'owner'];

const OBJECTS: [path: string, scope: string, allowed: Caller[]][] = [
  ['locations', 'spaces:read', WITH_MEMBERS],
  ['closures', 'spaces:read', WITH_MEMBERS],
  ['teams', 'members:read', STAFF_AND_TOKENS],
  ['plans', 'plans:read', STAFF_AND_TOKENS],
  ['memberships', 'members:read', STAFF_AND_TOKENS],
  ['calendar-feeds', 'bookings:read', WITH_MEMBERS],
  ['events', 'events:read', WITH_MEMBERS],
  ['ticket-types', 'events:read', WITH_MEMBERS],
  ['discount-codes', 'orders:read', STAFF_AND_TOKENS],
  ['waitlist-entries', 'orders:read', STAFF_AND_TOKENS],
  ['day-pass-types', 'day-passes:read', STAFF_AND_TOKENS],
  ['orders', 'orders:read', STAFF_AND_TOKENS],
  ['payments', 'orders:read', STAFF_AND_TOKENS],
  ['refunds', 'orders:read', STAFF_AND_TOKENS],
  ['daily-closings', '*', OWNERS_AND_TOKENS],
  ['tickets', 'orders:read', STAFF_AND_TOKENS],
  ['day-passes', 'orders:read', STAFF_AND_TOKENS],
  ['check-ins', 'check-ins:read', STAFF_AND_TOKENS],
  ['displays', 'displays:read', STAFF_AND_TOKENS],
  ['announcements', 'displays:read', STAFF_AND_TOKENS],
  ['mailings', 'mailings:read', MANAGERS_AND_TOKENS],
  ['api-tokens', '*', OWNERS_AND_TOKENS],
  ['staff', '*', OWNERS_AND_TOKENS],
  ['webhooks', 'webhooks:read', MANAGERS_AND_TOKENS],
  ['email-opt-outs', '*', OWNERS_AND_TOKENS],
  ['erasures', '*', OWNERS_AND_TOKENS],
];

const toSingle = (path: string, scope: string, allowed: Caller[]): [string, Entry] => [
  `GET /${path}/{id}`,
  { request: `/${path}/${UNKNOWN_ID}`, scope, allowed },
];

/** The routes that read what changes name. */
export const OBJECT_ROUTES: Record<string, Entry> = Object.fromEntries([
  ...OBJECTS.flatMap(([path, scope, allowed]): [string, Entry][] => [
    toSingle(path, scope, allowed),
    [`GET /${path}`, { request: `/${path}?limit=1`, scope, allowed }],
  ]),
  toSingle('members', 'members:read', STAFF_AND_TOKENS),
  toSingle('resources', 'spaces:read', WITH_MEMBERS),
]);
