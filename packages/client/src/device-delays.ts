const MAX_RETRY_DELAY_SECONDS = 60;

/**
 * Returns how long to wait after a number of failures in a row: a random time below a limit that doubles, so that devices that lost the
 * connection together do not reconnect at the same time. A delay set by the service is extended slightly.
 */
export function getRetryDelaySeconds(failures: number, retryAfterSeconds: number | null): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * (1 + 0.2 * Math.random());
  const limit = Math.min(MAX_RETRY_DELAY_SECONDS, 2 ** failures);
  return 1 + Math.random() * (limit - 1);
}

/** Shifts a delay by up to 5 percent. */
export const addJitter = (seconds: number) => seconds * (0.95 + 0.1 * Math.random());

/** Waits. Ends early if the signal aborts, or if `wakeUp` says that the network is back. */
export function sleep(seconds: number, signal?: AbortSignal, wakeUp?: EventTarget): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      wakeUp?.removeEventListener('online', finish);
      resolve();
    };
    const timer = setTimeout(finish, Math.max(0, seconds) * 1000);
    signal?.addEventListener('abort', finish);
    wakeUp?.addEventListener('online', finish);
  });
}
