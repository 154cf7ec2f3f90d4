import type { Config } from '../config.ts';
import { onSite } from './on-site.ts';
import type { PaymentPort } from './port.ts';

/** What the configuration says about payments. */
export const openPayments = (_config: Config): PaymentPort => onSite;
