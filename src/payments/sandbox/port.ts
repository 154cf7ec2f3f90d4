import type { News, PaymentPort, ProviderEvent } from '../port.ts';

/** A page of our own with a button to pay and one to fail. No money moves. */
export const sandbox: PaymentPort = {
  provider: 'sandbox',
  // The address has the order's secret in it, so nobody keeps it.
  open: async ({ paymentUrl }) => ({ ref: null, url: `${paymentUrl}/sandbox` }),
  refund: async ({ id }) => ({ ref: `sandbox-refund:${id}`, status: 'succeeded' }),
};

const PAID = 'payment.succeeded';

/** However often the button is pressed, it is the same event. */
export const paidInSandbox = (order: {
  id: string;
  totalAmount: number;
  currency: string;
}): ProviderEvent => ({
  id: `paid:${order.id}`,
  type: PAID,
  payload: { orderId: order.id, amount: order.totalAmount, currency: order.currency },
});

export function sandboxNews({ type, payload }: ProviderEvent): News[] {
  if (type !== PAID) return [];
  const { orderId, amount, currency } = payload as {
    orderId: string;
    amount: number;
    currency: string;
  };
  return [{ kind: 'payment', orderId, ref: `sandbox:${orderId}`, amount: { amount, currency } }];
}
