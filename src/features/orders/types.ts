import type { Money } from '../../core/money.ts';
import type { Instant } from '../../core/time/time-zone.ts';
import { DomainError } from '../../errors.ts';
import type { ProviderName } from '../../integrations/payments/provider.ts';
import type { EventStatus } from '../events/types.ts';

export const ORDER_STATUSES = ['pending', 'paid', 'expired', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const PAYMENT_STATUSES = [
  'pending',
  'paid',
  'partially_refunded',
  'refunded',
  'none',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The statuses of issued tickets and day passes. Held and expired ones were not issued and are never returned. */
export const ADMISSION_STATUSES = ['valid', 'cancelled'] as const;
export type AdmissionStatus = (typeof ADMISSION_STATUSES)[number];

export interface Person {
  name: string;
  email: string | null;
}

export interface Ticket {
  id: string;
  code: string;
  status: AdmissionStatus;
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
}

export interface DayPass {
  id: string;
  code: string;
  status: AdmissionStatus;
  /** YYYY-MM-DD, in the time zone of the location. */
  validOn: string;
  holder: Person;
  dayPassType: { id: string; name: string };
  location: { id: string; name: string; timeZone: string };
  price: Money;
}

export interface OrderItem {
  ticketType: { id: string; name: string } | null;
  dayPassType: { id: string; name: string } | null;
  validOn: string | null;
  quantity: number;
  unitPrice: Money;
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
export interface Order {
  id: string;
  code: string;
  status: OrderStatus;
  buyer: { name: string; email: string };
  memberId: string | null;
  total: Money;
  discountCodeId: string | null;
  discount: { code: string | null; amount: Money };
  paid: Money;
  /** Includes pending refunds. */
  refunded: Money;
  expiresAt: Instant | null;
  paidAt: Instant | null;
  cancelledAt: Instant | null;
  createdAt: Instant;
  event: {
    id: string;
    slug: string;
    title: string;
    status: EventStatus;
    startsAt: Instant;
    endsAt: Instant;
    timeZone: string;
    location: { id: string; name: string; address: string | null };
    refundHours: number | null;
    updatedAt: Instant;
  } | null;
  /** The location of the event or of the day passes. */
  locationName: string | null;
  items: OrderItem[];
  tickets: Ticket[];
  dayPasses: DayPass[];
  /** Null for free orders. */
  payment: { provider: ProviderName | null; status: PaymentStatus } | null;
  /** Whether this free order holds its seats until the buyer opens the link in the email. */
  confirmationRequired: boolean;
  allowedActions: OrderActions;
  /** Opens the order page. Null unless the caller placed the order or read it by its secret. */
  secret: string | null;
}

const NOT_LIVE_MESSAGES = {
  pending: 'The order is not confirmed yet. Pay for it or confirm it first.',
  paid: 'The order is already confirmed.',
  expired: 'The order expired before it was paid or confirmed. Place a new order.',
  cancelled: 'The order is already cancelled.',
};

/** Returns the error for an order in a status that does not allow the command. */
export const orderNotLive = ({ status }: Pick<Order, 'status'>) =>
  new DomainError('CONFLICT', NOT_LIVE_MESSAGES[status], { reason: 'NOT_LIVE', status });
