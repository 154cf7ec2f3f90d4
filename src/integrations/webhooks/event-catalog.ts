import type { z } from 'zod';
import type { Scope } from '../../auth/scopes.ts';
import * as shapes from './payload-schemas.ts';

/** Something that webhooks are told of. */
interface EventDefinition<Payload extends z.ZodObject = z.ZodObject> {
  description: string;
  /** What one must be allowed to read to be told of it. */
  scope: Scope;
  payload: Payload;
}

const defineEvent = <Payload extends z.ZodObject>(
  scope: Scope,
  payload: Payload,
  description: string,
) => ({ scope, payload, description }) satisfies EventDefinition<Payload>;

const { displayChange, checkIn, member, booking, event, order, refund, ticket, dayPass } = shapes;

export const EVENTS = {
  'display.online': defineEvent('displays:read', displayChange, 'A display is heard from again'),
  'display.stale': defineEvent('displays:read', displayChange, 'Nothing was heard for 150 seconds'),
  'display.offline': defineEvent(
    'displays:read',
    displayChange,
    'Nothing was heard for 300 seconds',
  ),
  'display.revoked': defineEvent(
    'displays:read',
    displayChange,
    'A display was revoked, which is for good',
  ),
  'check_in.admitted': defineEvent('check-ins:read', checkIn, 'Somebody came in'),
  'check_in.refused': defineEvent(
    'check-ins:read',
    checkIn,
    'Somebody was not let in; result says why',
  ),
  'check_in.checked_out': defineEvent(
    'check-ins:read',
    checkIn,
    'Somebody left; visits that end by themselves are not told',
  ),
  'member.created': defineEvent('members:read', member, 'A member was added'),
  'member.updated': defineEvent('members:read', member, 'A member was changed'),
  'booking.created': defineEvent('bookings:read', booking, 'A resource was booked, or asked for'),
  'booking.cancelled': defineEvent('bookings:read', booking, 'A booking was cancelled'),
  'event.published': defineEvent('events:read', event, 'An event was published'),
  'event.cancelled': defineEvent('events:read', event, 'An event was cancelled'),
  'order.placed': defineEvent(
    'orders:read',
    order,
    'An order holds what it is for and awaits its payment; free ones are confirmed at once',
  ),
  'order.offered': defineEvent(
    'orders:read',
    order,
    'Tickets are held for somebody on the waiting list, who is asked to take them',
  ),
  'order.confirmed': defineEvent(
    'orders:read',
    order,
    'An order is paid, or nothing was to be paid',
  ),
  'order.cancelled': defineEvent('orders:read', order, 'An order was cancelled as a whole'),
  'order.expired': defineEvent(
    'orders:read',
    order,
    'An order was not paid, or an offer not taken, in time',
  ),
  'order.refunded': defineEvent(
    'orders:read',
    refund,
    'Money went back, all of an order or a part',
  ),
  'ticket.issued': defineEvent('orders:read', ticket, 'A ticket lets its holder in from now on'),
  'ticket.updated': defineEvent(
    'orders:read',
    ticket,
    'The name or address on a ticket was changed',
  ),
  'ticket.transferred': defineEvent(
    'orders:read',
    ticket,
    'A ticket was handed over to somebody else',
  ),
  'ticket.cancelled': defineEvent('orders:read', ticket, 'A ticket was cancelled'),
  // By orders:read, as the holders stand in orders: day-passes:read shows what is for sale, and to anybody's website.
  'day_pass.issued': defineEvent(
    'orders:read',
    dayPass,
    'A day pass lets its holder in on its day',
  ),
  'day_pass.updated': defineEvent(
    'orders:read',
    dayPass,
    'The name or address on a day pass was changed',
  ),
  'day_pass.transferred': defineEvent(
    'orders:read',
    dayPass,
    'A day pass was handed over to somebody else',
  ),
  'day_pass.cancelled': defineEvent('orders:read', dayPass, 'A day pass was cancelled'),
} satisfies Record<string, EventDefinition>;

export type EventType = keyof typeof EVENTS;

/** Sent when somebody asks for it, to the one webhook it is for. */
export const TEST_EVENT_TYPE = 'webhook.test';

const eventEntries = Object.entries(EVENTS) as [EventType, EventDefinition][];

const toNoun = (type: string) => type.slice(0, type.indexOf('.'));

/** What a webhook may name to be told of this. */
export const toSubscriptionNames = (type: EventType): string[] => [type, `${toNoun(type)}.*`, '*'];

/** The scopes that one needs to be told of what a webhook names so; undefined where that is nothing. */
export function findSubscriptionScopes(name: string): Scope[] | undefined {
  if (name === '*') return ['*']; // everything, now and later
  const meant = eventEntries.filter(([type]) => toSubscriptionNames(type).includes(name));
  return meant.length === 0 ? undefined : [...new Set(meant.map(([, { scope }]) => scope))];
}

/** The scope that one needs to read a message; none for tests, which say nothing, and all for what is unknown. */
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
