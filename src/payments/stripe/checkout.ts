import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import type { Checkout } from '../port.ts';

const MINUTE = 60_000;
/** Stripe's own bounds are 30 minutes and 24 hours from when it gets the request. */
const SHORTEST = 31 * MINUTE;
const LONGEST = (24 * 60 - 10) * MINUTE;

// So that who comes twice in a short while asks for the same, and gets the same session.
const STEP = 5 * MINUTE;

/** Of a session for this order: as long as the order holds what is bought, as far as Stripe allows. */
export function endOf({ expiresAt, now }: Pick<Checkout, 'expiresAt' | 'now'>): Date {
  const earliest = now.getTime() + SHORTEST;
  if (expiresAt.getTime() < earliest) return new Date(Math.ceil(earliest / STEP) * STEP);
  return new Date(
    Math.min(expiresAt.getTime(), Math.floor((now.getTime() + LONGEST) / STEP) * STEP),
  );
}

export async function openSession(stripe: Stripe, checkout: Checkout) {
  const { orderId, orderCode, description, price, email, portalUrl } = checkout;
  const wanted: Stripe.Checkout.SessionCreateParams = {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: price.currency.toLowerCase(),
          unit_amount: price.amount,
          product_data: { name: description, description: `Order ${orderCode}` },
        },
      },
    ],
    customer_email: email,
    client_reference_id: orderId,
    metadata: { order_id: orderId },
    payment_intent_data: { metadata: { order_id: orderId } },
    success_url: portalUrl,
    cancel_url: portalUrl,
    expires_at: Math.floor(endOf(checkout).getTime() / 1_000),
  };
  const { id, url } = await stripe.checkout.sessions.create(wanted, {
    // Stripe refuses a key that comes with another question.
    idempotencyKey: `checkout-${orderId}-${hashOf(wanted)}`,
  });
  if (!url) throw new Error('Stripe made a session without an address');
  return { ref: id, url };
}

const hashOf = (value: object) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
