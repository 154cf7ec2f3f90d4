const MAX_RETRY_DELAY_SECONDS = 60;

/**
 * How long to wait after so many failures in a row: anything up to a limit that doubles, so that many screens that lost
 * the service together do not come back together. What the service asked for is kept, with a little on top.
 */
export function getRetryDelaySeconds(
  failures: number,
  retryAfterSeconds: number | null,
  random: () => number = Math.random,
): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * (1 + 0.2 * random());
  const limit = Math.min(MAX_RETRY_DELAY_SECONDS, 2 ** failures);
  return 1 + random() * (limit - 1);
}

/** A little earlier or later than asked for. */
export const addJitter = (seconds: number, random: () => number = Math.random) =>
  seconds * (0.95 + 0.1 * random());

/** Ends early when the bell rings or the work is given up. */
export function sleep(seconds: number, signal: AbortSignal, bell?: EventTarget): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      bell?.removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, Math.max(0, seconds) * 1000);
    signal.addEventListener('abort', done);
    bell?.addEventListener('online', done);
  });
}
