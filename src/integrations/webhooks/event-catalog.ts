import type { z } from 'zod';
import type { Scope } from '../../auth/scopes.ts';
import { CATALOG, CHANGE_TYPES, type ChangeType, toSubjectName } from '../../journal/catalog.ts';
import { SUBJECTS } from '../../journal/subjects.ts';
import {
  booking,
  changePayload,
  checkIn,
  dayPass,
  displayChange,
  event,
  member,
  order,
  refund,
  ticket,
} from './payload-schemas.ts';

/** A type of event that webhooks can subscribe to. */
interface EventDefinition<Payload extends z.ZodObject = z.ZodObject> {
  description: string;
  /** The scope that the owner of a webhook needs to receive it. */
  scope: Scope;
  payload: Payload;
}

const defineEvent = <Payload extends z.ZodObject>(
  scope: Scope,
  payload: Payload,
  description: string,
) => ({ scope, payload, description }) satisfies EventDefinition<Payload>;

export const EVENTS = {
  'display.online': defineEvent('displays:read', displayChange, 'A display sent a heartbeat again'),
  'display.stale': defineEvent(
    'displays:read',
    displayChange,
    'A display sent no heartbeat for 150 seconds',
  ),
  'display.offline': defineEvent(
    'displays:read',
    displayChange,
    'A display sent no heartbeat for 300 seconds',
  ),
  'display.revoked': defineEvent(
    'displays:read',
    displayChange,
    'A display was revoked permanently',
  ),
  'check_in.admitted': defineEvent('check-ins:read', checkIn, 'A guest was checked in'),
  'check_in.refused': defineEvent(
    'check-ins:read',
    checkIn,
    'A check-in was rejected; `result` says why',
  ),
  'check_in.checked_out': defineEvent(
    'check-ins:read',
    checkIn,
    'A guest was checked out; visits that end automatically are not reported',
  ),
  'member.created': defineEvent('members:read', member, 'A member was added'),
  'member.updated': defineEvent('members:read', member, 'A member was changed'),
  'booking.created': defineEvent('bookings:read', booking, 'A resource was booked or requested'),
  'booking.cancelled': defineEvent('bookings:read', booking, 'A booking was cancelled'),
  'event.published': defineEvent('events:read', event, 'An event was published'),
  'event.cancelled': defineEvent('events:read', event, 'An event was cancelled'),
  'order.placed': defineEvent(
    'orders:read',
    order,
    'An order was placed and holds its tickets until it is paid; free orders are confirmed immediately',
  ),
  'order.offered': defineEvent(
    'orders:read',
    order,
    'Tickets are held for a person on the waiting list, who can accept the offer',
  ),
  'order.confirmed': defineEvent('orders:read', order, 'An order was paid, or was free'),
  'order.cancelled': defineEvent('orders:read', order, 'A whole order was cancelled'),
  'order.expired': defineEvent(
    'orders:read',
    order,
    'An order was not paid in time, or an offer was not accepted in time',
  ),
  'order.refunded': defineEvent('orders:read', refund, 'An order was refunded, in full or in part'),
  'ticket.issued': defineEvent('orders:read', ticket, 'A ticket was issued and admits its holder'),
  'ticket.updated': defineEvent(
    'orders:read',
    ticket,
    'The name or address on a ticket was changed',
  ),
  'ticket.transferred': defineEvent(
    'orders:read',
    ticket,
    'A ticket was transferred to another person',
  ),
  'ticket.cancelled': defineEvent('orders:read', ticket, 'A ticket was cancelled'),
  // Needs orders:read because it names the holder: tokens with day-passes:read serve public websites.
  'day_pass.issued': defineEvent(
    'orders:read',
    dayPass,
    'A day pass was issued and admits its holder on its date',
  ),
  'day_pass.updated': defineEvent(
    'orders:read',
    dayPass,
    'The name or address on a day pass was changed',
  ),
  'day_pass.transferred': defineEvent(
    'orders:read',
    dayPass,
    'A day pass was transferred to another person',
  ),
  'day_pass.cancelled': defineEvent('orders:read', dayPass, 'A day pass was cancelled'),
} satisfies Record<string, EventDefinition>;

export type EventType = keyof typeof EVENTS;

/** The changes of which webhooks receive the journal entry: all but those above, whose messages contain the whole object. */
export const JOURNAL_EVENT_TYPES: readonly ChangeType[] = CHANGE_TYPES.filter(
  (type) => !(type in EVENTS),
);

function toJournalEvent(type: ChangeType): EventDefinition {
  const subject = toSubjectName(type);
  const { noun, fields } = SUBJECTS[subject];
  const verb = type.slice(subject.length + 1);
  return {
    scope: noun === '*' ? '*' : `${noun}:read`,
    payload: changePayload(fields),
    description: (CATALOG[subject] as Record<string, string>)[verb] ?? '',
  };
}

/** Sent to one webhook when staff request it. */
export const TEST_EVENT_TYPE = 'webhook.test';

const eventEntries: [string, EventDefinition][] = [
  ...(Object.entries(EVENTS) as [string, EventDefinition][]),
  ...JOURNAL_EVENT_TYPES.map((type): [string, EventDefinition] => [type, toJournalEvent(type)]),
];

const toNoun = (type: string) => type.slice(0, type.indexOf('.'));

/** Returns the names under which a webhook can subscribe to this type of event. */
export const toSubscriptionNames = (type: string): string[] => [type, `${toNoun(type)}.*`, '*'];

/** Finds the scopes that a subscription needs. Undefined if no event has this name. */
export function findSubscriptionScopes(name: string): Scope[] | undefined {
  if (name === '*') return ['*']; // also events of later versions
  const matches = eventEntries.filter(([type]) => toSubscriptionNames(type).includes(name));
  return matches.length === 0 ? undefined : [...new Set(matches.map(([, { scope }]) => scope))];
}

/** Finds the scope needed to read a message: none for a test, which has no content, and `*` for events of other versions. */
export const findEventScope = (type: string): Scope | undefined =>
  type === TEST_EVENT_TYPE
    ? undefined
    : (eventEntries.find(([known]) => known === type)?.[1].scope ?? '*');

export const eventCatalog = eventEntries.map(([name, { description, scope, payload }]) => ({
  name,
  description,
  scope,
  payload,
}));
