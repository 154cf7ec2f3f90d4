import { FoyerError } from './errors.ts';
import type { Transport } from './transport.ts';
import { toBackoff } from './waiting.ts';

/** The same request can succeed later: the service is not reachable, too busy, or has failed. */
const isTemporary = (error: unknown): error is FoyerError =>
  error instanceof FoyerError &&
  (['NETWORK', 'TIMEOUT', 'RATE_LIMITED', 'INTERNAL'].includes(error.code) ||
    error.status === 429 ||
    error.status >= 500);

/**
 * Waits before the next attempt of something that runs for days: as long as the service asks, or longer after each failure in a row.
 * @throws the error, if the same request would fail again
 */
export async function waitAfterFailure(
  transport: Transport,
  error: unknown,
  failures: number,
  signal?: AbortSignal,
): Promise<void> {
  if (!isTemporary(error)) throw error;
  const { retryAfter } = error;
  const wait = retryAfter === null ? toBackoff(failures) : retryAfter * 1000;
  await waitUnlessAborted(transport, wait, signal);
}

/** Waits, and not longer than until the signal aborts. */
export const waitUnlessAborted = (
  { sleep }: Transport,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<void> => sleep(milliseconds, signal).catch(() => {});
