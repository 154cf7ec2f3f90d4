import type { Config } from '../../config.ts';
import { onSiteProvider } from './on-site.ts';
import type { PaymentProvider, ProviderEvent, ProviderName, ProviderUpdate } from './provider.ts';
import { parseSandboxEvent, sandboxProvider } from './sandbox.ts';
import { parseStripeEvent } from './stripe/parse-events.ts';
import { createStripeProvider } from './stripe/provider.ts';

/** What the configuration says about payments. Asks nobody yet. */
export function createPaymentProvider({ payments }: Pick<Config, 'payments'>): PaymentProvider {
  if (payments.provider === 'stripe') return createStripeProvider(payments);
  return payments.provider === 'sandbox' ? sandboxProvider : onSiteProvider;
}

const PARSERS: Record<ProviderName, (event: ProviderEvent) => ProviderUpdate[]> = {
  stripe: parseStripeEvent,
  sandbox: parseSandboxEvent,
  on_site: () => [],
};

/** What a stored event means, also one of a provider that is configured no more. Nothing for what is not about us. */
export const parseProviderEvent = (
  provider: ProviderName,
  event: ProviderEvent,
): ProviderUpdate[] => PARSERS[provider](event);
