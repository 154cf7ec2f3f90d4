import type { PaymentAdapter, ProviderEvent, ProviderUpdate } from './provider.ts';

/** A page of our own with a button to pay and one to fail. No money moves. */
export const sandboxProvider: PaymentAdapter = {
  name: 'sandbox',
  // The URL contains the order's secret, so it is not stored.
  createCheckout: async ({ paymentUrl }) => ({ ref: null, url: `${paymentUrl}/sandbox` }),
  createRefund: async ({ id }) => ({ ref: `sandbox-refund:${id}`, status: 'succeeded' }),
};

const PAID_EVENT_TYPE = 'payment.succeeded';

/** Creates the same event every time the button is pressed. */
export const createSandboxPaidEvent = (order: {
  id: string;
  totalAmount: number;
  currency: string;
}): ProviderEvent => ({
  id: `paid:${order.id}`,
  type: PAID_EVENT_TYPE,
  payload: { orderId: order.id, amount: order.totalAmount, currency: order.currency },
});

export function parseSandboxEvent({ type, payload }: ProviderEvent): ProviderUpdate[] {
  if (type !== PAID_EVENT_TYPE) return [];
  const { orderId, amount, currency } = payload as {
    orderId: string;
    amount: number;
    currency: string;
  };
  return [{ kind: 'payment', orderId, ref: `sandbox:${orderId}`, amount: { amount, currency } }];
}
