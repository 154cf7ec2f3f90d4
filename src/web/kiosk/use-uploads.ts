import { useCallback, useEffect, useRef, useState } from 'react';
import { asApiError, isPassing } from '../api/errors.ts';
import { pause, waitSeconds } from '../screen/back-off.ts';
import { checkIn } from './queries.ts';
import { addWaiting, readWaiting, removeWaiting, type Waiting } from './waiting.ts';

/** Sends what was scanned offline as soon as the service is back, the oldest first. */
export function useUploads() {
  const [count, setCount] = useState(() => readWaiting().length);
  const [refused, setRefused] = useState(0);
  const bell = useRef(new EventTarget());

  useEffect(() => {
    const work = new AbortController();
    const ring = () => bell.current.dispatchEvent(new Event('online'));
    window.addEventListener('online', ring);

    async function run(): Promise<void> {
      let failures = 0;
      while (!work.signal.aborted) {
        const [scan] = readWaiting();
        setCount(readWaiting().length);
        if (scan === undefined) {
          failures = 0;
          await pause(600, work.signal, bell.current);
          continue;
        }
        const outcome = await send(scan);
        if (outcome.done) {
          failures = 0;
          removeWaiting(scan);
          if (outcome.isRefused) setRefused((before) => before + 1);
        } else {
          failures += 1;
          await pause(waitSeconds(failures, outcome.retryAfter), work.signal, bell.current);
        }
      }
    }
    void run();
    return () => {
      work.abort();
      window.removeEventListener('online', ring);
    };
  }, []);

  const later = useCallback((scan: Waiting) => {
    const isKept = addWaiting(scan);
    setCount(readWaiting().length);
    if (isKept) setTimeout(() => bell.current.dispatchEvent(new Event('online')), 2_000);
    return isKept;
  }, []);

  return { count, refused, later };
}

type Outcome = { done: true; isRefused: boolean } | { done: false; retryAfter: number | null };

async function send(scan: Waiting): Promise<Outcome> {
  try {
    await checkIn(scan);
    return { done: true, isRefused: false };
  } catch (thrown) {
    if (isTimeout(thrown) || isPassing(thrown)) return { done: false, retryAfter: null };
    const { code, details } = asApiError(thrown);
    return code === 'RATE_LIMITED'
      ? { done: false, retryAfter: details.retryAfterSeconds ?? 30 }
      : { done: true, isRefused: true };
  }
}

export const isTimeout = (thrown: unknown) =>
  thrown instanceof DOMException &&
  (thrown.name === 'TimeoutError' || thrown.name === 'AbortError');
