import { DomainError } from '../../errors.ts';
import { RefundFailed } from './refunds.ts';

/** What may pass by itself, though Stripe says that the request is wrong. */
const PASSING = ['balance_insufficient', 'idempotency_key_in_use', 'lock_timeout', 'rate_limit'];

/**
 * What Stripe's library throws carries headers and more that belongs in no log: its sentence is enough. A DomainError
 * where the same request would fail again.
 */
export function inOwnWords(error: unknown, secrets: string[]): Error {
  if (error instanceof DomainError) return error;
  const said = error instanceof Error ? error.message : String(error);
  const message = secrets
    .reduce((text, secret) => text.replaceAll(secret, '***'), said)
    .replace(/\b(sk|rk|pk|whsec)_[\w*]+/g, '$1_***')
    .slice(0, 500);
  if (error instanceof RefundFailed) {
    return refused(`Stripe could not give the money back: ${message}`);
  }
  const { type, code, statusCode, requestId } = error as {
    type?: string;
    code?: string;
    statusCode?: number;
    requestId?: string;
  };
  const wrong = type === 'StripeInvalidRequestError' || type === 'StripeCardError';
  if (wrong && statusCode !== 409 && !PASSING.includes(code ?? '')) return refused(message);
  const details = [statusCode, code, requestId].filter((it) => it !== undefined).join(', ');
  return new Error(`Stripe: ${message}${details ? ` (${details})` : ''}`);
}

const refused = (message: string) =>
  new DomainError('CONFLICT', message, { reason: 'PROVIDER_REFUSED' });
