import { FoyerError } from './errors.ts';
import { pause, toBackoff } from './waiting.ts';

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
  error: unknown,
  failures: number,
  signal?: AbortSignal,
): Promise<void> {
  if (!isTemporary(error)) throw error;
  const { retryAfter } = error;
  await waitUnlessAborted(retryAfter === null ? toBackoff(failures) : retryAfter * 1000, signal);
}

/** Waits, and not longer than until the signal aborts. */
export const waitUnlessAborted = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  pause(milliseconds, signal).catch(() => {});
