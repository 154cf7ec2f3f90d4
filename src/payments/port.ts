import type { Money } from '../values.ts';

/** One way of taking money. Which one an installation has, its configuration says. */
export interface PaymentPort {
  provider: Provider;
  /**
   * Where the buyer pays, and the provider's name of that page if it has one. Asked again for the same order it gives
   * the same. May ask a remote service: never call it within a transaction.
   */
  open(checkout: Checkout): Promise<{ ref: string | null; url: string }>;
  /**
   * Gives money back, once for each id however often it is asked. `due`: somebody has to see to it, or will tell us
   * later. Throws where it should be tried again; a DomainError where that is no use. Never call it within a transaction.
   */
  refund(refund: RefundRequest): Promise<{ ref: string | null; status: 'done' | 'due' }>;
}

export const PROVIDERS = ['stripe', 'on_site', 'sandbox'] as const;
export type Provider = (typeof PROVIDERS)[number];

export interface Checkout {
  orderId: string;
  /** Short, for people. */
  orderCode: string;
  /** What is bought, in a few words. */
  description: string;
  price: Money;
  email: string;
  /** The buyer's secret address of the order: where they come back to. */
  portalUrl: string;
  /** The page of ours that led here. */
  paymentUrl: string;
}

export interface RefundRequest {
  id: string;
  /** The provider's name of the payment. */
  paymentRef: string;
  amount: Money;
}
