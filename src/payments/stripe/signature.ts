import type Stripe from 'stripe';
import { DomainError } from '../../errors.ts';
import type { Delivery, ProviderEvent } from '../port.ts';

const OLDEST_SECONDS = 300;

/** Throws BAD_REQUEST for whatever Stripe has not signed just as it stands, and not long ago. */
export function verified(
  stripe: Stripe,
  { body, signature, now }: Delivery,
  secret: string,
): ProviderEvent {
  const event = signedEvent(stripe, { body, signature, now }, secret);
  const { id, type, data } = event ?? {};
  if (
    typeof id !== 'string' ||
    typeof type !== 'string' ||
    typeof data?.object !== 'object' ||
    data.object === null
  ) {
    throw new DomainError('BAD_REQUEST', 'This is not an event of Stripe.', {
      reason: 'UNREADABLE_BODY',
    });
  }
  return { id, type, payload: event };
}

function signedEvent(stripe: Stripe, { body, signature, now }: Delivery, secret: string) {
  try {
    return stripe.webhooks.constructEvent(
      body,
      signature ?? '',
      secret,
      OLDEST_SECONDS,
      undefined,
      now.getTime(),
    );
  } catch {
    throw new DomainError(
      'BAD_REQUEST',
      'This is not signed by Stripe with the secret of STRIPE_WEBHOOK_SECRET, or too long ago.',
      { reason: 'BAD_SIGNATURE' },
    );
  }
}
