import type { PaymentAdapter } from './provider.ts';

/** Buyers pay at the front desk. Staff marks orders as paid and refunds as made. */
export const onSiteProvider: PaymentAdapter = {
  name: 'on_site',
  createCheckout: async ({ portalUrl }) => ({ ref: null, url: portalUrl }),
  createRefund: async () => ({ ref: null, status: 'pending' }),
};
