import type { Config } from '../../config.ts';
import type { PaymentProvider, ProviderEvent, ProviderName, ProviderUpdate } from './provider.ts';
import { parseSandboxEvent, sandboxProvider } from './sandbox.ts';
import { parseStripeEvent } from './stripe/parse-events.ts';
import { createStripeProvider } from './stripe/stripe-provider.ts';

/** Creates the configured payment provider, without sending a request. */
export function createPaymentProvider({ payments }: Pick<Config, 'payments'>): PaymentProvider {
  if (payments.provider === 'stripe') return createStripeProvider(payments);
  return payments.provider === 'sandbox' ? sandboxProvider : onSiteProvider;
}

const PARSERS: Record<ProviderName, (event: ProviderEvent) => ProviderUpdate[]> = {
  stripe: parseStripeEvent,
  sandbox: parseSandboxEvent,
  on_site: () => [],
};

/**
 * Parses a stored event, even of a provider that is no longer configured. Events that concern no order return an empty
 * list.
 */
export const parseProviderEvent = (
  provider: ProviderName,
  event: ProviderEvent,
): ProviderUpdate[] => PARSERS[provider](event);

/** Buyers pay at the front desk. Staff mark orders as paid and refunds as completed. */
export const onSiteProvider: PaymentProvider = {
  name: 'on_site',
  createCheckout: async ({ portalUrl }) => ({ ref: null, url: portalUrl }),
  createRefund: async () => ({ ref: null, status: 'pending' }),
};
