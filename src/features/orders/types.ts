import type { z } from 'zod';
import type { Money } from '../../core/money.ts';
import type { OpeningTime } from '../../core/time/format.ts';
import type { Instant } from '../../core/time/time-zone.ts';
import { toDayEndSql } from '../../db/day-bounds.ts';
import type { DisputeStatus } from '../../db/generated/enums.ts';
import { DomainError } from '../../errors.ts';
import type { ProviderName } from '../../integrations/payments/provider.ts';
import type { ShownRow } from '../../rows/row.ts';
import type { EventStatus } from '../events/rows.ts';
import type { attendeeInput } from './inputs.ts';
import type { dayPassRow, orderRow, ticketRow } from './rows.ts';

export const PAYMENT_STATUSES = [
  'pending',
  'paid',
  'partially_refunded',
  'refunded',
  'none',
] as const;
type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export interface Person {
  name: string;
  email: string | null;
}

export interface Ticket extends ShownRow<typeof ticketRow> {
  code: string;
  orderId: string;
  attendee: Person;
  ticketType: { id: string; name: string };
  event: {
    id: string;
    slug: string;
    title: string;
    startsAt: Instant;
    endsAt: Instant;
    timeZone: string;
  };
  /** The price after the ticket's share of the discount. */
  price: Money;
  /** Whether the payment of its order is disputed. */
  isDisputed: boolean;
}

export interface DayPass extends ShownRow<typeof dayPassRow> {
  code: string;
  orderId: string;
  holder: Person;
  dayPassType: { id: string; name: string };
  location: { id: string; name: string; timeZone: string };
  price: Money;
  isDisputed: boolean;
}

export interface OrderItem {
  /** The name of the ticket type or the day pass type. */
  typeName: string;
  ticketTypeId: string | null;
  dayPassTypeId: string | null;
  validOn: string | null;
  quantity: number;
  unitPrice: Money;
}

/** Names the type of a line as REST and webhooks do: a ticket type or a day pass type. */
export const toItemTypes = ({ typeName: name, ticketTypeId, dayPassTypeId }: OrderItem) => ({
  ticketType: ticketTypeId === null ? null : { id: ticketTypeId, name },
  dayPassType: dayPassTypeId === null ? null : { id: dayPassTypeId, name },
});

/** A payment that the buyer disputes with their bank. */
export interface Dispute {
  /** The provider's ID. */
  reference: string;
  status: DisputeStatus;
  amount: Money;
  /** The provider's word, such as "fraudulent". */
  reason: string | null;
  createdAt: Instant;
  endedAt: Instant | null;
}

/** The location of day passes on their date. */
export interface OrderedDay {
  locationName: string;
  address: string | null;
  timeZone: string;
  /** Empty if the location is closed, null if it is always open. */
  openingTimes: OpeningTime[] | null;
}

/** The actions that the buyer can take now. The commands check this again. */
export interface OrderActions {
  pay: boolean;
  confirm: boolean;
  cancel: boolean;
  /** Until when the buyer can cancel for a refund. Null if there are no refunds, and for free orders. */
  refundUntil: Instant | null;
  changeAttendees: boolean;
}

/** A purchase of tickets of one event or of day passes for one date. */
export interface Order extends ShownRow<typeof orderRow> {
  code: string;
  eventId: string | null;
  /** The address is null if staff sold it at the front desk without one. Then nobody gets emails about it. */
  buyer: Person;
  total: Money;
  discountCodeId: string | null;
  discount: { code: string | null; amount: Money };
  paid: Money;
  /** Includes pending refunds. */
  refunded: Money;
  event: {
    id: string;
    slug: string;
    title: string;
    status: EventStatus;
    startsAt: Instant;
    endsAt: Instant;
    timeZone: string;
    location: { id: string; name: string; address: string | null };
    /** The room. Null if it has none. */
    roomId: string | null;
    roomName: string | null;
    refundHours: number | null;
    updatedAt: Instant;
  } | null;
  /** Where and when day passes admit. Null for tickets. */
  day: OrderedDay | null;
  /** The location of the event or of the day passes. */
  locationId: string | null;
  locationName: string | null;
  items: OrderItem[];
  /** Oldest first. Only for staff. */
  disputes: Dispute[];
  tickets: Ticket[];
  dayPasses: DayPass[];
  /** Null for free orders. */
  payment: { provider: ProviderName | null; status: PaymentStatus } | null;
  /** Whether it is an offer of a waiting list, which the person accepts by paying or confirming it. */
  isOffer: boolean;
  /** Whether the buyer has paid in a way that takes days, such as by direct debit. */
  paymentInProgress: boolean;
  /** Whether the buyer must confirm this order with the link in the email, or its seats are released. */
  confirmationRequired: boolean;
  allowedActions: OrderActions;
  /** Opens the order page. Null unless the caller placed the order or read it by its secret. */
  secret: string | null;
}

/** An order whose buyer gets emails. */
export type MailedOrder = Order & { buyer: { email: string } };

/** Whether the buyer gets emails. Staff can sell at the front desk to people without an address. */
export const hasBuyerAddress = (order: Order): order is MailedOrder => order.buyer.email !== null;

const NOT_LIVE_MESSAGES = {
  pending: 'The order is not confirmed yet. Pay for it or confirm it first.',
  paid: 'The order is already confirmed.',
  expired: 'The order expired before it was paid or confirmed. Place a new order.',
  cancelled: 'The order is already cancelled.',
};

/** Returns the error for an order in a status that does not allow the command. */
export const orderNotLive = ({ status }: Pick<Order, 'status'>) =>
  new DomainError('CONFLICT', NOT_LIVE_MESSAGES[status], { reason: 'NOT_LIVE', status });

/** The length of the codes of tickets and day passes. */
export const ADMISSION_CODE_LENGTH = 12;

export type Attendee = z.output<typeof attendeeInput>;

export const normalizeAttendee = ({ name, email }: Attendee): Person => ({
  name,
  email: email ? email.toLowerCase() : null,
});

/** SQL: the event of an order is over or cancelled, or the day of its passes is over. `now` is SQL, too. */
export const toOverSql = (row: string, now: string) => `(
  EXISTS (SELECT FROM events e WHERE e.id = ${row}.event_id AND (e.status = 'cancelled' OR e.ends_at <= ${now}))
  OR EXISTS (SELECT FROM day_passes p JOIN day_pass_types t ON t.id = p.type_id JOIN locations l ON l.id = t.location_id
    WHERE p.order_id = ${row}.id AND p.valid_on < (${now} AT TIME ZONE l.time_zone)::date))`;

/** SQL: until when an order that is paid at the front desk can be held: its event starts, or the location closes on the day of its passes. */
export const toLatestHoldSql = (row: string) => `coalesce(
  (SELECT e.starts_at FROM events e WHERE e.id = ${row}.event_id),
  (SELECT min(coalesce((
      SELECT (p.valid_on + max(h.closes_minute) * interval '1 minute') AT TIME ZONE l.time_zone FROM opening_hours h
      WHERE h.location_id = l.id AND h.weekday = extract(isodow FROM p.valid_on) AND NOT EXISTS (
        SELECT FROM closures k WHERE k.location_id = l.id AND p.valid_on BETWEEN k.starts_on AND k.ends_on)),
      ${toDayEndSql('p.valid_on', 'l.time_zone')}))
    FROM day_passes p JOIN day_pass_types t ON t.id = p.type_id JOIN locations l ON l.id = t.location_id
    WHERE p.order_id = ${row}.id))`;
