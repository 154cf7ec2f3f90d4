import type { Context } from '../../context.ts';
import type { ProviderName } from '../../integrations/payments/provider.ts';

/** Thrown if the payment of a refund or dispute is unknown. Events arrive in any order, so it can become known later. */
export class OutOfOrderEvent extends Error {}

/**
 * Finds the payment of an order by the provider's ID.
 *
 * @throws OutOfOrderEvent
 */
export async function findProviderPayment(
  { db }: Context,
  provider: ProviderName,
  ref: string,
): Promise<{ id: string; orderId: string; currency: string }> {
  const where = { provider_ref: { provider, ref } };
  const payment = await db.payment.findUnique({
    where,
    select: { id: true, orderId: true, currency: true },
  });
  if (payment?.orderId == null)
    throw new OutOfOrderEvent(`There is no payment ${ref.slice(0, 100)}.`);
  return { ...payment, orderId: payment.orderId };
}
