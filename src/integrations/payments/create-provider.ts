import type { Config } from '../../config.ts';
import { onSiteProvider } from './on-site.ts';
import type { PaymentAdapter, ProviderEvent, ProviderName, ProviderUpdate } from './provider.ts';
import { parseSandboxEvent, sandboxProvider } from './sandbox.ts';
import { parseStripeEvent } from './stripe/parse-events.ts';
import { createStripeProvider } from './stripe/provider.ts';

/** Creates the configured payment provider. Sends no request yet. */
export function createPaymentProvider({ payments }: Pick<Config, 'payments'>): PaymentAdapter {
  if (payments.provider === 'stripe') return createStripeProvider(payments);
  return payments.provider === 'sandbox' ? sandboxProvider : onSiteProvider;
}

const PARSERS: Record<ProviderName, (event: ProviderEvent) => ProviderUpdate[]> = {
  stripe: parseStripeEvent,
  sandbox: parseSandboxEvent,
  on_site: () => [],
};

/** Parses a stored event, also of a provider that is no longer configured. Returns nothing for events that are not about our orders. */
export const parseProviderEvent = (
  provider: ProviderName,
  event: ProviderEvent,
): ProviderUpdate[] => PARSERS[provider](event);
