import type { Money } from '../../core/money.ts';
import type { Instant } from '../../core/time/instant.ts';
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

/** The statuses of issued tickets and day passes. Held and expired ones are not issued and are never returned. */
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
  /** After its share of the discount. */
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

/** What the buyer can still do. The commands check again. */
export interface OrderActions {
  pay: boolean;
  confirm: boolean;
  cancel: boolean;
  /** The end of the time in which cancelling refunds the buyer; null without refunds, and for free orders. */
  refundUntil: Instant | null;
  changeAttendees: boolean;
}

/** One purchase, of tickets of one event or of day passes for one date. */
export interface Order {
  id: string;
  code: string;
  status: OrderStatus;
  buyer: { name: string; email: string };
  memberId: string | null;
  total: Money;
  discount: { code: string | null; amount: Money };
  paid: Money;
  /** Refunded, or about to be. */
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
  /** Whether this free order holds its places until the buyer opens the link in the email. */
  confirmationRequired: boolean;
  allowedActions: OrderActions;
  /** Opens the order page. Null unless the caller placed the order or read it by its secret. */
  secret: string | null;
}
