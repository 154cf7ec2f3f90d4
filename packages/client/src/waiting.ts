const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 20_000;

/** Waits. @throws the reason of the signal if it aborts */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });

/** Doubles with every attempt. Half of it is random, so that clients do not come back at the same time. */
export function toBackoff(attempt: number): number {
  const backoff = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt);
  return backoff / 2 + (Math.random() * backoff) / 2;
}

/** Reads Retry-After, which has seconds or a date. Returns milliseconds, or null if the header is missing or malformed. */
export function parseRetryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (value === null || value.trim() === '') return null;
  const seconds = Number(value);
  const wait = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}
