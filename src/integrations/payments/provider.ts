import type { Money } from '../../core/money.ts';
import type { PaymentProvider as ProviderName } from '../../db/generated/enums.ts';

/** A payment provider. Its methods send requests, so never call them in a transaction. */
export interface PaymentProvider {
  name: ProviderName;
  /** Finds out why the provider would reject a payment of this price. Absent if every price can be paid. */
  findChargeProblem?(price: Money): AmountProblem | null;
  /**
   * Creates the page where the buyer pays. Returns its URL and the provider's ID, if it has one. Repeated calls for the same
   * order within a few minutes return the same page.
   *
   * @throws CONFLICT (PROVIDER_REJECTED) if a retry would fail in the same way; any other error if it can be retried.
   */
  createCheckout(checkout: Checkout): Promise<{ ref: string | null; url: string }>;
  /**
   * Creates a refund. Repeated calls with the same id create only one. `pending` means that staff must pay it out, or that
   * the provider reports the result later.
   *
   * @throws DomainError if the refund was rejected permanently; any other error if it can be retried.
   */
  createRefund(refund: RefundRequest): Promise<RefundResult>;
  /** How long after the order was placed its checkout page can be used again. Absent if pages do not expire. */
  checkoutReuseMs?: number;
  /** Stops a checkout from accepting payments. Absent if the provider cannot do that. */
  closeCheckout?(checkoutRef: string): Promise<void>;
  /** Lists all refunds of a payment. Absent if refunds can only be made by Foyer. */
  listRefunds?(paymentRef: string): Promise<RefundUpdate[]>;
  /**
   * Verifies the signature of a request and parses its event.
   *
   * @throws BAD_REQUEST for a request that is too old or unreadable, or that the provider did not sign.
   */
  verifyEvent?(delivery: SignedRequest): Promise<ProviderEvent>;
}

/** Why a price cannot be paid through a provider. */
export type AmountProblem =
  /** It is less than the provider charges. */
  | { kind: 'too_small'; smallest: Money }
  /** It has more digits than the provider can charge: it must be a multiple of the step. */
  | { kind: 'too_fine'; step: Money };

/** The enum in the Prisma schema lists the providers. */
export type { ProviderName };

export interface Checkout {
  orderId: string;
  /** Short, for display. */
  orderCode: string;
  /** Short summary of the order. */
  description: string;
  price: Money;
  /** Null if the buyer has none. */
  email: string | null;
  /** The secret URL of the order. Never send it to a provider: whoever reads it there can cancel and transfer the order. */
  portalUrl: string;
  /** The pages to which the buyer returns. Their URLs contain no secret. */
  returnUrls: { paid: string; unpaid: string };
  /** Our page that led to the checkout. */
  paymentUrl: string;
  /** When the order expires. */
  expiresAt: Date;
  now: Date;
}

export interface RefundRequest {
  id: string;
  orderId: string;
  /** The provider's ID of an earlier attempt, if there is one. */
  ref: string | null;
  /** The provider's ID of the payment. */
  paymentRef: string;
  amount: Money;
}

export interface RefundResult {
  /** The provider's ID of the refund. */
  ref: string | null;
  status: 'succeeded' | 'pending';
}

/** A request that claims to come from the provider. */
export interface SignedRequest {
  body: Buffer;
  /** By lower-case names. */
  headers: Record<string, string | string[] | undefined>;
  now: Date;
}

/** An event as the provider sends it. */
export interface ProviderEvent {
  id: string;
  type: string;
  payload: object;
}

/** A change of a payment or refund that an event reports. */
export type ProviderUpdate =
  | PaymentUpdate
  /** The buyer has paid in a way that takes days, such as a direct debit. */
  | { kind: 'payment_delayed'; orderId: string }
  /** Such a payment has failed. */
  | { kind: 'payment_failed'; orderId: string }
  | RefundUpdate
  | DisputeUpdate
  /** The refunds of this payment have changed and must be listed. */
  | { kind: 'refunds'; paymentRef: string };

export interface PaymentUpdate {
  kind: 'payment';
  orderId: string;
  ref: string;
  amount: Money;
}

export interface RefundUpdate {
  kind: 'refund';
  ref: string;
  /** The ID of our refund; null if it was made in the provider's dashboard. */
  refundId: string | null;
  paymentRef: string;
  amount: Money;
  status: 'pending' | 'succeeded' | 'failed';
  error: string | null;
}

/** A payment that the buyer disputes with their bank. */
export interface DisputeUpdate {
  kind: 'dispute';
  ref: string;
  paymentRef: string;
  amount: Money;
  /** The provider's word, such as "fraudulent". */
  reason: string | null;
  /** `lost` means that the bank has taken the money back, `won` that it stays. */
  status: 'open' | 'won' | 'lost';
}

/** Thrown for an impossible event, such as one with a negative amount. It is not retried. */
export class InvalidProviderEvent extends Error {}
