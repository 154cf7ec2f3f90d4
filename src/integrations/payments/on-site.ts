import type { PaymentProvider } from './provider.ts';

/** Money changes hands at the front desk, where staff marks orders as paid and refunds as given back. */
export const onSiteProvider: PaymentProvider = {
  name: 'on_site',
  createCheckout: async ({ portalUrl }) => ({ ref: null, url: portalUrl }),
  createRefund: async () => ({ ref: null, status: 'pending' }),
};
