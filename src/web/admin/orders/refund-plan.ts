import { toMinorUnits } from '../../../core/money.ts';
import { formatMoney, parseAmount } from '../../components/money.ts';
import { type Admission, toAdmissions, toRefundableAmount } from './order-details.ts';
import type { OrderDetails } from './queries.ts';

export type RefundKind = 'whole' | 'tickets' | 'amount';

export interface RefundValues {
  kind: RefundKind;
  ticketIds: string[];
  /** In major units, such as euros, as people write it in the language of their browser. */
  amount: string;
  reason: string;
}

export interface RefundPlan {
  /** The items to cancel. */
  cancelled: Admission[];
  /** Whether these are all items of the order. */
  cancelsOrder: boolean;
  /** The refund in minor units; 0 while the input is invalid. */
  amount: number;
}

/** What staff can choose: to cancel items, and to refund up to the balance. */
export function listRefundKinds(order: OrderDetails): RefundKind[] {
  const { cancelTickets, refundAmount } = order.staffActions;
  const valid = toAdmissions(order).filter(({ isValid }) => isValid);
  return [
    ...(cancelTickets ? (['whole'] as const) : []),
    ...(cancelTickets && valid.length > 1 ? (['tickets'] as const) : []),
    ...(refundAmount ? (['amount'] as const) : []),
  ];
}

/** Predicts what the service does with these values. */
export function planRefund(order: OrderDetails, values: RefundValues): RefundPlan {
  const valid = toAdmissions(order).filter(({ isValid }) => isValid);
  const balance = toRefundableAmount(order);
  if (values.kind === 'amount') {
    const amount = toMinorUnits(
      parseAmount(values.amount, balance.currency) ?? 0,
      balance.currency,
    );
    const isPossible = amount > 0 && amount <= balance.amount;
    return { cancelled: [], cancelsOrder: false, amount: isPossible ? amount : 0 };
  }
  const cancelled =
    values.kind === 'whole' ? valid : valid.filter(({ id }) => values.ticketIds.includes(id));
  const cost = cancelled.reduce((sum, { price }) => sum + price.amount, 0);
  return {
    cancelled,
    cancelsOrder: cancelled.length === valid.length,
    amount: Math.min(balance.amount, cost),
  };
}

/** "Refund €18.00 and cancel 3 tickets" */
export function formatSubmitLabel(order: OrderDetails, { cancelled, amount }: RefundPlan): string {
  const balance = toRefundableAmount(order);
  const [singular, plural] = order.event ? ['ticket', 'tickets'] : ['day pass', 'day passes'];
  const items = `${cancelled.length} ${cancelled.length === 1 ? singular : plural}`;
  if (amount === 0 && cancelled.length === 0) return balance.amount > 0 ? 'Refund' : 'Cancel';
  if (amount === 0) return `Cancel ${items}`;
  const refund = `Refund ${formatMoney({ ...balance, amount })}`;
  return cancelled.length === 0 ? refund : `${refund} and cancel ${items}`;
}

export const toRefundInput = (order: OrderDetails, values: RefundValues) => ({
  id: order.id,
  reason: values.reason.trim() || null,
  ...(values.kind === 'tickets' && { ticketIds: values.ticketIds }),
  ...(values.kind === 'amount' && {
    amount: toMinorUnits(
      parseAmount(values.amount, order.total.currency) ?? 0,
      order.total.currency,
    ),
  }),
});
