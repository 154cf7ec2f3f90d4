import { formatMoney, toMinorUnits } from '../../components/money.ts';
import { type Admission, toAdmissions, toRefundableAmount } from './admissions.ts';
import type { OrderDetails } from './queries.ts';

export type RefundKind = 'whole' | 'tickets' | 'amount';

export interface RefundValues {
  kind: RefundKind;
  ticketIds: string[];
  /** In major units, as people write them. */
  amount: number | string;
  reason: string;
}

export interface RefundPlan {
  /** What is cancelled. */
  ended: Admission[];
  /** Whether nothing of the order is good any more. */
  cancelsOrder: boolean;
  /** Minor units that go back; 0 as long as what is asked for cannot be done. */
  amount: number;
}

/** What may be chosen: only what is confirmed is cancelled, and only what is left goes back. */
export function listRefundKinds(order: OrderDetails): RefundKind[] {
  const valid = toAdmissions(order).filter(({ isValid }) => isValid);
  const isLive = order.status === 'PAID' && valid.length > 0;
  return [
    ...(isLive ? (['whole'] as const) : []),
    ...(isLive && valid.length > 1 ? (['tickets'] as const) : []),
    ...(toRefundableAmount(order).amount > 0 ? (['amount'] as const) : []),
  ];
}

/** What the service will make of it, so that it can be said before. */
export function planRefund(order: OrderDetails, values: RefundValues): RefundPlan {
  const valid = toAdmissions(order).filter(({ isValid }) => isValid);
  const left = toRefundableAmount(order);
  if (values.kind === 'amount') {
    const amount = toMinorUnits(Number(values.amount), left.currency);
    const isPossible = amount > 0 && amount <= left.amount;
    return { ended: [], cancelsOrder: false, amount: isPossible ? amount : 0 };
  }
  const ended =
    values.kind === 'whole' ? valid : valid.filter(({ id }) => values.ticketIds.includes(id));
  const cost = ended.reduce((sum, { price }) => sum + price.amount, 0);
  const endsOrder = ended.length === valid.length;
  return {
    ended,
    cancelsOrder: endsOrder,
    amount: endsOrder ? left.amount : Math.min(left.amount, cost),
  };
}

/** "Refund €18.00 and cancel 3 tickets" */
export function formatSubmitLabel(order: OrderDetails, { ended, amount }: RefundPlan): string {
  const left = toRefundableAmount(order);
  const [one, many] = order.event ? ['ticket', 'tickets'] : ['day pass', 'day passes'];
  const what = `${ended.length} ${ended.length === 1 ? one : many}`;
  if (amount === 0 && ended.length === 0) return left.amount > 0 ? 'Refund' : 'Cancel';
  if (amount === 0) return `Cancel ${what}`;
  const refund = `Refund ${formatMoney({ ...left, amount })}`;
  return ended.length === 0 ? refund : `${refund} and cancel ${what}`;
}

export const toRefundInput = (order: OrderDetails, values: RefundValues) => ({
  orderId: order.id,
  reason: values.reason.trim() || null,
  ...(values.kind === 'tickets' && { ticketIds: values.ticketIds }),
  ...(values.kind === 'amount' && {
    amount: toMinorUnits(Number(values.amount), order.total.currency),
  }),
});
