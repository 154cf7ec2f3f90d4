import type { Context } from '../../context.ts';
import { defineRowActions } from '../../lists/row-actions.ts';
import { toOpenAmountSql, toSurplusAmountSql } from '../bookings/types.ts';
import { toLatestHoldSql } from '../orders/types.ts';
import { toPaymentColumnSql } from './rows.ts';

// The rules of `markOrderPaid`, `settleRefund` and `retryRefund`, and of `refundOrder`, `resendOrderConfirmation` and
// `revokeOrderLinks`, which a test compares.

/** What staff can do with an order. */
export const orderStaffActions = defineRowActions({
  table: 'orders',
  access: 'orders:write',
  toConditions: (row) => {
    const hasValid = (table: string) =>
      `EXISTS (SELECT FROM ${table} a WHERE a.order_id = ${row}.id AND a.status = 'valid')`;
    const remaining = `(SELECT sum(p.amount - p.refunded) FROM payments p
      WHERE p.order_id = ${row}.id AND p.currency = ${row}.currency)`;
    const isRecorded = `EXISTS (SELECT FROM payments p WHERE p.order_id = ${row}.id
      AND p.provider = 'on_site' AND p.ref = ${toOnSiteRefSql(`${row}.id`)})`;
    return {
      cancel: `${row}.status IN ('pending', 'paid')`,
      cancelTickets: `(${hasValid('tickets')} OR ${hasValid('day_passes')})`,
      refundAmount: `(${row}.status <> 'pending' AND ${remaining} > 0)`,
      // Staff who got money for a cancelled order can still record it, but nobody needs to take it.
      markPaid: `(${row}.status IN ('pending', 'expired') AND ${row}.total_amount > 0
        AND ${row}.provider = 'on_site' AND NOT ${isRecorded})`,
      extendHold: `(${row}.status = 'pending' AND ${row}.provider = 'on_site' AND ${row}.expires_at > clock.now
        AND ${row}.expires_at < ${toLatestHoldSql(row)})`,
      resend: `(${row}.status = 'paid' AND ${row}.buyer_email IS NOT NULL)`,
      revokeLinks: `EXISTS (SELECT FROM order_access_tokens l WHERE l.order_id = ${row}.id)`,
    };
  },
});

/** What staff can do with the payment of a booking. */
export const bookingPaymentActions = defineRowActions({
  table: 'bookings',
  access: 'orders:write',
  toConditions: (row) => ({
    markPaid: `${toOpenAmountSql(row)} > 0`,
    markUnpaid: `EXISTS (SELECT FROM payments p
        WHERE p.booking_id = ${row}.id AND p.voided_at IS NULL AND p.refunded = 0)`,
    returnSurplus: `${toSurplusAmountSql(row)} > 0`,
  }),
});

/** The reference of the payment of an order at the front desk, which is recorded once. */
export const toOnSiteRef = (orderId: string) => `on-site:${orderId}`;

const toOnSiteRefSql = (orderId: string) => `'${toOnSiteRef('')}' || ${orderId}`;

export const refundActions = defineRowActions({
  table: 'refunds',
  access: 'orders:write',
  toConditions: (row, { payments }) => ({
    settle: `(${row}.status <> 'succeeded' AND NOT (${row}.status = 'pending' AND ${isAtProvider(row, payments)}))`,
    retry: `(${row}.status = 'failed' AND ${isAtProvider(row, payments)})`,
  }),
});

/** Whether the payment provider that is configured returns the money, and not staff. */
const isAtProvider = (refund: string, { name }: Context['payments']) =>
  name === 'on_site' ? 'false' : `${toPaymentColumnSql(refund, 'provider')} = '${name}'`;
