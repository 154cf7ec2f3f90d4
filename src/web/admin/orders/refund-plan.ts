import { formatMoney, toMinorUnits } from '../../components/money.ts';
import { type Admission, toAdmissions, toRefundableAmount } from './admissions.ts';
import type { OrderDetails } from './queries.ts';

export type RefundKind = 'whole' | 'tickets' | 'amount';

export interface RefundValues {
  kind: RefundKind;
  ticketIds: string[];
  /** In major units, such as euros. */
  amount: number | string;
  reason: string;
}

export interface RefundPlan {
  /** Items that are cancelled. */
  cancelled: Admission[];
  /** Whether every item of the order is cancelled. */
  cancelsOrder: boolean;
  /** The refund in minor units; 0 while the input is invalid. */
  amount: number;
}

/** The available modes. Only confirmed items can be cancelled, only the balance refunded. */
export function listRefundKinds(order: OrderDetails): RefundKind[] {
  const valid = toAdmissions(order).filter(({ isValid }) => isValid);
  const isLive = order.status === 'PAID' && valid.length > 0;
  return [
    ...(isLive ? (['whole'] as const) : []),
    ...(isLive && valid.length > 1 ? (['tickets'] as const) : []),
    ...(toRefundableAmount(order).amount > 0 ? (['amount'] as const) : []),
  ];
}

/** Predicts what the service will do, to show it before staff confirm. */
export function planRefund(order: OrderDetails, values: RefundValues): RefundPlan {
  const valid = toAdmissions(order).filter(({ isValid }) => isValid);
  const left = toRefundableAmount(order);
  if (values.kind === 'amount') {
    const amount = toMinorUnits(Number(values.amount), left.currency);
    const isPossible = amount > 0 && amount <= left.amount;
    return { cancelled: [], cancelsOrder: false, amount: isPossible ? amount : 0 };
  }
  const cancelled =
    values.kind === 'whole' ? valid : valid.filter(({ id }) => values.ticketIds.includes(id));
  const cost = cancelled.reduce((sum, { price }) => sum + price.amount, 0);
  const endsOrder = cancelled.length === valid.length;
  return {
    cancelled,
    cancelsOrder: endsOrder,
    amount: endsOrder ? left.amount : Math.min(left.amount, cost),
  };
}

/** "Refund €18.00 and cancel 3 tickets" */
export function formatSubmitLabel(order: OrderDetails, { cancelled, amount }: RefundPlan): string {
  const left = toRefundableAmount(order);
  const [singular, plural] = order.event ? ['ticket', 'tickets'] : ['day pass', 'day passes'];
  const what = `${cancelled.length} ${cancelled.length === 1 ? singular : plural}`;
  if (amount === 0 && cancelled.length === 0) return left.amount > 0 ? 'Refund' : 'Cancel';
  if (amount === 0) return `Cancel ${what}`;
  const refund = `Refund ${formatMoney({ ...left, amount })}`;
  return cancelled.length === 0 ? refund : `${refund} and cancel ${what}`;
}

export const toRefundInput = (order: OrderDetails, values: RefundValues) => ({
  orderId: order.id,
  reason: values.reason.trim() || null,
  ...(values.kind === 'tickets' && { ticketIds: values.ticketIds }),
  ...(values.kind === 'amount' && {
    amount: toMinorUnits(Number(values.amount), order.total.currency),
  }),
});
