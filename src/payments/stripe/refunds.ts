import type Stripe from 'stripe';
import type { RefundRequest } from '../port.ts';

const MOST = 100;

export const refundsOf = async (stripe: Stripe, paymentRef: string): Promise<Stripe.Refund[]> =>
  (await stripe.refunds.list({ payment_intent: paymentRef, limit: MOST })).data;

/**
 * Looks first at what there is: Stripe forgets idempotency keys after a day. One that failed there is begun anew under
 * another key, as the old one would only be answered with the old refund.
 */
export async function refundOnce(
  stripe: Stripe,
  { id, orderId, ref, paymentRef, amount }: RefundRequest,
): Promise<{ ref: string; status: 'succeeded' | 'pending' }> {
  const earlier = (await refundsOf(stripe, paymentRef)).filter(
    (refund) => refund.metadata?.refund_id === id || refund.id === ref,
  );
  const standing = earlier.find((refund) => !hasFailed(refund));
  if (standing) return answer(standing);
  const refund = await stripe.refunds.create(
    {
      payment_intent: paymentRef,
      amount: amount.amount,
      metadata: { refund_id: id, order_id: orderId },
    },
    { idempotencyKey: earlier.length === 0 ? id : `${id}-${earlier.length}` },
  );
  if (hasFailed(refund)) throw new RefundFailed(refund.failure_reason ?? 'unknown');
  return answer(refund);
}

/** Stripe has taken the wish and turned it down. */
export class RefundFailed extends Error {}

const hasFailed = ({ status }: Stripe.Refund) => status === 'failed' || status === 'canceled';

const answer = ({ id, status }: Stripe.Refund) => ({
  ref: id,
  status: status === 'succeeded' ? ('succeeded' as const) : ('pending' as const),
});
