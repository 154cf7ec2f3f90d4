import { z } from 'zod';
import { uuid } from '../../core/validation.ts';
import type { Payment, Refund } from '../../db/generated/client.ts';
import { PaymentMethod, PaymentProvider, RefundStatus } from '../../db/generated/enums.ts';
import { createdAt, type RowDescription, rowId } from '../../rows/row.ts';

/** How staff receive or return money. */
export const staffMethod = z
  .enum(PaymentMethod)
  .refine(
    (method) => method !== 'card_online',
    'must be CASH, CARD or OTHER: only the payment provider takes cards online',
  );

/** Describes a field with `staffMethod`. The type of the field is that of all payments, so only its description can say what is accepted. */
export const describeStaffMethod = (description: string) => ({
  description: `${description}: CASH, CARD or OTHER. CARD_ONLINE is rejected, because only the payment provider takes cards online.`,
});

const takingsLocationId = {
  hidden: 'Shown as location',
  schema: uuid.nullable(),
  description: 'The location that took the money',
  whenNull: 'null if it has none',
  journal: true,
} as const;

export const paymentRow = {
  table: 'payments',
  columns: {
    id: rowId('Identifies the payment'),
    orderId: {
      hidden: 'Shown as order',
      schema: uuid.nullable(),
      description: 'The order that it pays',
      whenNull: 'null for a booking',
      journal: true,
    },
    bookingId: {
      hidden: 'Shown as booking',
      schema: uuid.nullable(),
      description: 'The booking that it pays',
      whenNull: 'null for an order',
      journal: true,
    },
    locationId: takingsLocationId,
    provider: {
      schema: z.enum(PaymentProvider),
      description: 'The provider through which it was paid',
    },
    ref: {
      hidden: 'Shown as reference, if it contains no code that the viewer cannot read',
      erasure: 'technical',
    },
    amount: {
      hidden: 'Shown with its currency',
      schema: z.int(),
      description: 'What was paid',
      journal: true,
    },
    refunded: { hidden: 'Shown with its currency' },
    currency: {
      hidden: 'Shown with the amounts',
      schema: z.string(),
      journal: true,
      erasure: 'technical',
    },
    method: { schema: z.enum(PaymentMethod), description: 'How it was paid' },
    takenById: {
      hidden: 'Shown as takenBy',
      schema: uuid.nullable(),
      description: 'The account of staff that received it',
      whenNull: 'null if no account of staff did',
      journal: true,
    },
    voidedAt: {
      schema: z.date().nullable(),
      description: 'When staff undid it because it was recorded by mistake',
      whenNull: 'null if it counts',
      journal: false,
    },
    voidReason: {
      schema: z.string().nullable(),
      description: 'Why it was undone',
      whenNull: 'null if it was not',
      access: 'orders:read',
      erasure: 'copy',
    },
    voidedById: {
      hidden: 'Shown in the audit log',
      schema: uuid.nullable(),
      description: 'The account of staff that undid it',
      whenNull: 'null if none did',
      journal: true,
    },
    createdAt: createdAt('When it was received'),
  },
  computed: {
    takenBy: {
      schema: z.string().nullable(),
      description: 'The name of the staff user who received it',
      whenNull: 'null if the provider or an API token did, or nobody recorded it',
      access: 'orders:read',
      sql: (row) => toStaffNameSql(`${row}.taken_by_id`),
    },
  },
} as const satisfies RowDescription<Payment>;

export const refundRow = {
  table: 'refunds',
  columns: {
    id: rowId('Identifies the refund in both APIs'),
    orderId: {
      hidden: 'Shown as order',
      schema: uuid.nullable(),
      description: 'The order whose payment is returned',
      whenNull: 'null for a booking',
      journal: true,
    },
    locationId: takingsLocationId,
    paymentId: {
      hidden: 'Shown as payment',
      schema: uuid,
      description: 'The payment that is returned, or a part of it',
      journal: true,
    },
    amount: {
      hidden: 'Shown with the currency of the payment',
      schema: z.int(),
      description: 'What is returned',
      journal: true,
    },
    reason: {
      schema: z.string().nullable(),
      description: 'Why it is returned, as the buyer sees it',
      whenNull: 'null if no reason was given',
      erasure: 'copy',
    },
    status: { schema: z.enum(RefundStatus), description: 'Whether the money was returned' },
    ref: { hidden: 'Only for the payment provider', erasure: 'technical' },
    attempts: { hidden: 'Only for the job that makes refunds' },
    lastError: {
      schema: z.string().nullable(),
      description: 'Why the last attempt failed',
      journal: false,
      erasure: 'copy',
    },
    nextAttemptAt: { hidden: 'Only for the job that makes refunds' },
    completedAt: {
      schema: z.date().nullable(),
      description: 'When the money was returned',
      whenNull: 'null if it has not been',
      journal: false,
    },
    method: {
      schema: z.enum(PaymentMethod).nullable(),
      description: 'How the money was returned',
      whenNull: 'null if it has not been',
    },
    paidBackById: {
      hidden: 'Shown as paidBackBy',
      schema: uuid.nullable(),
      description: 'The account of staff that returned the money',
      whenNull: 'null if no account of staff did',
      journal: true,
    },
    createdAt: createdAt('When the refund was requested'),
  },
  computed: {
    paidBackBy: {
      schema: z.string().nullable(),
      description: 'The name of the staff user who returned the money',
      whenNull: 'null if the provider or an API token did, or nobody recorded it',
      access: 'orders:read',
      sql: (row) => toStaffNameSql(`${row}.paid_back_by_id`),
    },
    provider: {
      schema: z.enum(PaymentProvider),
      description: 'Who returns the money',
      sql: (row) => toPaymentColumnSql(row, 'provider'),
    },
  },
} as const satisfies RowDescription<Refund>;

const toStaffNameSql = (id: string) =>
  `(SELECT named.name FROM users named WHERE named.id = ${id})`;

/** A column of the payment of a refund. */
export const toPaymentColumnSql = (refund: string, column: string) =>
  `(SELECT paid.${column} FROM payments paid WHERE paid.id = ${refund}.payment_id)`;
