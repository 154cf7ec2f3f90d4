import type { PaymentPort } from './port.ts';

/** Money changes hands at the front desk, where staff marks orders as paid and refunds as given back. */
export const onSite: PaymentPort = {
  provider: 'on_site',
  open: async ({ portalUrl }) => ({ ref: null, url: portalUrl }),
  refund: async () => ({ ref: null, status: 'pending' }),
};
