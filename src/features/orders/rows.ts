import { z } from 'zod';
import { calendarDate, uuid } from '../../core/validation.ts';
import type { DayPass, Order, Ticket } from '../../db/generated/client.ts';
import { PaymentProvider, AdmissionStatus as StoredStatus } from '../../db/generated/enums.ts';
import { createdAt, hiddenUpdatedAt, type RowDescription, rowId } from '../../rows/row.ts';

export const ORDER_STATUSES = ['pending', 'paid', 'expired', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The statuses of issued tickets and day passes. Held and expired ones were not issued and are never returned. */
export const ADMISSION_STATUSES = ['valid', 'cancelled'] as const;
export type AdmissionStatus = (typeof ADMISSION_STATUSES)[number];

/** SQL: whether a pending order is held longer if its buyer confirms it by email. */
export const isHoldUnconfirmed = (row: string) =>
  `(${row}.status = 'pending' AND coalesce(${row}.confirmed_hold_until > ${row}.expires_at, false))`;

export const orderRow = {
  table: 'orders',
  columns: {
    id: rowId('Identifies the order for staff; buyers use its secret'),
    code: { hidden: 'Shown only to those who can read admission codes', erasure: 'technical' },
    status: {
      schema: z.enum(ORDER_STATUSES),
      description: 'Whether it holds seats, is paid, or has ended',
    },
    eventId: { hidden: 'Shown as event', schema: uuid.nullable(), journal: true },
    memberId: {
      schema: uuid.nullable(),
      description: 'The id of the member who placed it while signed in',
      whenNull: 'null if nobody was',
    },
    buyerName: { hidden: 'Shown as buyer', schema: z.string(), journal: true, erasure: 'name' },
    buyerEmail: {
      hidden: 'Shown as buyer',
      schema: z.string().nullable(),
      journal: true,
      erasure: 'address',
    },
    currency: {
      hidden: 'Shown as total',
      schema: z.string(),
      journal: true,
      erasure: 'technical',
    },
    totalAmount: { hidden: 'Shown as total', schema: z.int(), journal: true },
    discountAmount: { hidden: 'Shown as discount', schema: z.int(), journal: true },
    discountCodeId: { hidden: 'Shown as discountCode' },
    provider: {
      hidden: 'Shown as payment',
      schema: z.enum(PaymentProvider).nullable(),
      journal: true,
    },
    checkoutRef: { hidden: "The provider's id of the checkout page", erasure: 'technical' },
    checkoutUrl: { hidden: 'Shown to the buyer, on the payment page', erasure: 'technical' },
    disputedAt: {
      schema: z.date().nullable(),
      description: 'Since when the buyer disputes its payment with their bank',
      whenNull: 'null if no dispute is open',
    },
    delayedPaymentAt: { hidden: 'When the buyer paid in a way that takes days' },
    seatKeys: { hidden: 'The counters that include its seats', erasure: 'technical' },
    expiresAt: {
      schema: z.date().nullable(),
      description: 'When a pending order expires and releases its seats',
      whenNull: 'null for other orders',
      // The column keeps its value when the order ends.
      sql: (row) => `CASE WHEN ${row}.status = 'pending' THEN ${row}.expires_at END`,
    },
    confirmedHoldUntil: {
      schema: z.date().nullable(),
      description:
        'Until when an order that is paid at the front desk is held once its buyer confirms it by email',
      whenNull: 'null if nothing has to be confirmed',
      journal: false,
      // Once the order is confirmed, it is the time at which the order expires.
      sql: (row) => `CASE WHEN ${isHoldUnconfirmed(row)} THEN ${row}.confirmed_hold_until END`,
    },
    paidAt: {
      schema: z.date().nullable(),
      description: 'When it was paid, or confirmed if it is free',
      whenNull: 'null if it was not',
      journal: false,
    },
    cancelledAt: {
      schema: z.date().nullable(),
      description: 'When it was cancelled',
      whenNull: 'null if it was not',
      journal: false,
    },
    createdAt: createdAt('When it was placed'),
    updatedAt: hiddenUpdatedAt,
  },
} as const satisfies RowDescription<Order>;

const storedStatus = z.enum(StoredStatus);

/** The columns that tickets and day passes share. */
const admissionColumns = {
  id: rowId('The UUID'),
  code: { hidden: 'Shown only to those who can read admission codes', erasure: 'technical' },
  orderId: { hidden: 'Shown as order', schema: uuid, journal: true },
  position: { hidden: 'Sorts the order' },
  status: {
    schema: z.enum(ADMISSION_STATUSES),
    description: 'Whether it still admits',
    journal: storedStatus,
  },
  unitPrice: { hidden: 'Shown in the items of the order' },
  amount: { hidden: 'Shown as price', schema: z.int(), journal: true },
  cancelledAt: { hidden: 'No API shows it' },
  cancelReason: {
    hidden: 'For emails and the journal',
    schema: z.string().nullable(),
    journal: true,
    erasure: 'clear',
  },
  createdAt: { hidden: 'That of the order' },
  updatedAt: hiddenUpdatedAt,
} as const;

export const ticketRow = {
  table: 'tickets',
  columns: {
    ...admissionColumns,
    eventId: { hidden: 'Shown as event', schema: uuid, journal: true },
    ticketTypeId: { hidden: 'Shown as ticketType', schema: uuid, journal: true },
    attendeeName: {
      hidden: 'Shown as attendee',
      schema: z.string(),
      journal: true,
      erasure: 'name',
    },
    attendeeEmail: {
      hidden: 'Shown as attendee',
      schema: z.string().nullable(),
      journal: true,
      erasure: 'clear',
    },
  },
} as const satisfies RowDescription<Ticket>;

export const dayPassRow = {
  table: 'day_passes',
  columns: {
    ...admissionColumns,
    typeId: { hidden: 'Shown as dayPassType', schema: uuid, journal: true },
    validOn: {
      schema: calendarDate,
      description: 'The date, in the time zone of the location',
    },
    holderName: { hidden: 'Shown as holder', schema: z.string(), journal: true, erasure: 'name' },
    holderEmail: {
      hidden: 'Shown as holder',
      schema: z.string().nullable(),
      journal: true,
      erasure: 'clear',
    },
  },
} as const satisfies RowDescription<DayPass>;
