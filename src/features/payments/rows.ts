import { z } from 'zod';
import { uuid } from '../../core/validation.ts';
import type { Payment, Refund } from '../../db/generated/client.ts';
import { PaymentProvider, RefundStatus } from '../../db/generated/enums.ts';
import { createdAt, type RowDescription, rowId } from '../../rows/row.ts';

export const paymentRow = {
  table: 'payments',
  columns: {
    id: rowId('Identifies the payment'),
    orderId: { hidden: 'Shown as order', schema: uuid, journal: true },
    provider: {
      schema: z.enum(PaymentProvider),
      description: 'The provider through which it was paid',
    },
    ref: {
      hidden: 'Shown as reference, if it contains no code that the viewer cannot read',
      erasure: 'technical',
    },
    amount: { hidden: 'Shown with its currency', schema: z.int(), journal: true },
    refunded: { hidden: 'Shown with its currency' },
    currency: {
      hidden: 'Shown with the amounts',
      schema: z.string(),
      journal: true,
      erasure: 'technical',
    },
    createdAt: createdAt('When it was received'),
  },
} as const satisfies RowDescription<Payment>;

export const refundRow = {
  table: 'refunds',
  columns: {
    id: rowId('Identifies the refund in retryRefund and settleRefund'),
    orderId: { hidden: 'Shown as order', schema: uuid, journal: true },
    paymentId: { hidden: 'Shown as payment', schema: uuid, journal: true },
    amount: { hidden: 'Shown with the currency of the payment', schema: z.int(), journal: true },
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
    createdAt: createdAt('When the refund was requested'),
  },
  computed: {
    provider: {
      schema: z.enum(PaymentProvider),
      description: 'Who returns the money',
      sql: (row) => toPaymentColumnSql(row, 'provider'),
    },
  },
} as const satisfies RowDescription<Refund>;

/** A column of the payment of a refund. */
export const toPaymentColumnSql = (refund: string, column: string) =>
  `(SELECT paid.${column} FROM payments paid WHERE paid.id = ${refund}.payment_id)`;
