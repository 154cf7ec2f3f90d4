import { toPascalCase } from '../../core/letter-case.ts';
import type { Route } from '../route.ts';

interface Tag {
  name: string;
  description: string;
}

const SALES: Tag = { name: 'Orders', description: 'Buy tickets and day passes, and cancel them' };
const VISITS: Tag = { name: 'Check-ins', description: 'Check people in and out at a kiosk' };

/** The nouns, by the segment of the path that names them. An operation belongs to the last one in its path. */
const TAGS: Record<string, Tag> = {
  announcements: { name: 'Announcements', description: 'What displays announce' },
  'api-tokens': { name: 'Keys', description: 'The keys of programs' },
  bookings: { name: 'Bookings', description: 'Book rooms, desks and equipment' },
  'calendar-feeds': { name: 'Calendar feeds', description: 'The links to calendars of bookings' },
  calendars: { name: 'Calendars', description: 'Subscribe to bookings in calendar apps' },
  changes: { name: 'Changes', description: 'Keep a copy of the data up to date' },
  'check-ins': VISITS,
  closures: { name: 'Closures', description: 'Days on which a location is closed' },
  'daily-closings': { name: 'Daily closings', description: 'The cash that was counted' },
  'day-pass-types': { name: 'Day pass types', description: 'The kinds of day passes' },
  'day-passes': { name: 'Day passes', description: 'Passes for one day, and what is for sale' },
  'discount-codes': { name: 'Discount codes', description: 'Codes that reduce prices' },
  displays: { name: 'Displays', description: 'Pair screens, and poll what they show' },
  'email-opt-outs': { name: 'Email opt-outs', description: 'Mailboxes that get no reminders' },
  'email-preferences': {
    name: 'Email preferences',
    description: 'Stop reminders and mailings to a mailbox',
  },
  erasures: { name: 'Erasures', description: 'What was erased of people, and when' },
  events: { name: 'Events', description: 'Community events and their tickets' },
  locations: { name: 'Locations', description: 'The places of the space' },
  mailings: { name: 'Mailings', description: 'Emails to attendees and members' },
  members: { name: 'Members', description: 'The people of the space' },
  'member-lookup': VISITS,
  memberships: { name: 'Memberships', description: 'The plans of members and teams' },
  orders: SALES,
  payments: { name: 'Payments', description: 'What was paid' },
  plans: { name: 'Plans', description: 'What members can have, and its benefits' },
  refunds: { name: 'Refunds', description: 'What was paid back' },
  resources: {
    name: 'Resources',
    description: 'Rooms, desks and equipment, and when they are free',
  },
  staff: { name: 'Staff', description: 'The accounts of staff' },
  teams: { name: 'Teams', description: 'Members who share a plan' },
  'ticket-types': { name: 'Ticket types', description: 'The kinds of tickets of events' },
  tickets: { name: 'Tickets', description: 'Admissions to events' },
  'waitlist-entries': { name: 'Waiting lists', description: 'People who wait for tickets' },
  webhooks: { name: 'Webhooks', description: 'Where changes are sent' },
};

/** Returns the noun of a path. @throws if no segment of the path names one. */
export function getTag(path: string): Tag {
  const tag = toSegments(path)
    .reverse()
    .flatMap((segment) => TAGS[withoutExtension(segment)] ?? [])[0];
  if (tag === undefined) throw new Error(`${path} names no noun of TAGS`);
  return tag;
}

const withoutExtension = (segment: string) => segment.replace(/\.\w+$/, '');

/** Lists the tags that the routes use, by name. */
export const listTags = (routes: Route[]): Tag[] =>
  [...new Set(routes.map(({ path }) => getTag(path)))].sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );

/**
 * Returns the name of an operation in generated clients: `listBookings`, `getBooking`, `createBooking` and `cancelBooking`. A
 * segment after a parameter is what is read of the object, or what is done with it.
 */
export function toOperationId({ method, path, operationId }: Route): string {
  if (operationId !== undefined) return operationId;
  const segments = toSegments(path);
  const last = segments.at(-1) ?? '';
  if (isParameter(last)) return `get${toNoun(segments)}`;
  const isOfObject = isParameter(segments.at(-2) ?? '');
  if (method === 'GET')
    return isOfObject && !isCollection(last)
      ? `get${toNoun(segments)}`
      : `list${toNoun(segments.slice(0, -1))}${toPascalCase(last)}`;
  return isOfObject && !isCollection(last)
    ? `${toCamelCase(last)}${toNoun(segments.slice(0, -1))}`
    : `create${toNoun(segments)}`;
}

const toCamelCase = (name: string) => {
  const pascal = toPascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
};

const toSegments = (path: string) => path.split('/').slice(1);
const isParameter = (segment: string) => segment.startsWith('{');
/** Files, such as `tickets.pdf`, are no collections. */
const isCollection = (segment: string) => segment.endsWith('s') && !segment.includes('.');

/** Joins the fixed segments of a path in the singular, without the extensions of files. */
const toNoun = (segments: string[]): string =>
  segments
    .filter((segment) => !isParameter(segment))
    .map((segment) =>
      segment.includes('.')
        ? toPascalCase(segment.slice(0, segment.indexOf('.')))
        : toPascalCase(toSingular(segment)),
    )
    .join('');

function toSingular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  if (noun.endsWith('passes')) return noun.slice(0, -2);
  return noun.endsWith('s') ? noun.slice(0, -1) : noun;
}
