import type { Config } from '../config.ts';
import { onSite } from './on-site.ts';
import type { PaymentPort } from './port.ts';
import { sandbox } from './sandbox/port.ts';
import { stripePayments } from './stripe/port.ts';

/** What the configuration says about payments. Asks nobody yet. */
export function openPayments({ payments }: Pick<Config, 'payments'>): PaymentPort {
  if (payments.provider === 'stripe') return stripePayments(payments);
  return payments.provider === 'sandbox' ? sandbox : onSite;
}
