import type { PaymentProvider, ProviderEvent, ProviderUpdate } from './provider.ts';

/** A test provider: a page of Foyer with buttons to pay and to fail. No money is charged. */
export const sandboxProvider: PaymentProvider = {
  name: 'sandbox',
  // The URL contains the order's secret, so it is not stored.
  createCheckout: async ({ paymentUrl }) => ({ ref: null, url: `${paymentUrl}/sandbox` }),
  createRefund: async ({ id }) => ({ ref: `sandbox-refund:${id}`, status: 'succeeded' }),
};

const PAID_EVENT_TYPE = 'payment.succeeded';

/** Creates the event of a payment. It has the same ID every time, so repeated clicks pay once. */
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
