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

/** What has been issued: a hold is none yet, and what never became one is none either. */
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
  /** What it costs in its order. */
  price: Money;
}

export interface DayPass {
  id: string;
  code: string;
  status: AdmissionStatus;
  /** YYYY-MM-DD, by the location's calendar. */
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

/** What one may still do with it; the services have the last word. */
export interface OrderActions {
  pay: boolean;
  confirm: boolean;
  cancel: boolean;
  /** Until when cancelling gives the money back; null where it never does, or there is none. */
  refundUntil: Instant | null;
  changeAttendees: boolean;
}

/** One purchase. */
export interface Order {
  id: string;
  code: string;
  status: OrderStatus;
  buyer: { name: string; email: string };
  memberId: string | null;
  total: Money;
  discount: { code: string | null; amount: Money };
  paid: Money;
  /** Given back, or about to be. */
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
  /** The location's. */
  locationName: string | null;
  items: OrderItem[];
  tickets: Ticket[];
  dayPasses: DayPass[];
  /** Null where there is nothing to pay. */
  payment: { provider: ProviderName | null; status: PaymentStatus } | null;
  /** It costs nothing, and holds its places until the link in the mail confirms it. */
  confirmationRequired: boolean;
  allowedActions: OrderActions;
  /** What opens its portal; known only to who placed it or holds it. */
  secret: string | null;
}
