import { useCallback, useEffect, useRef, useState } from 'react';
import { asApiError, isPassing } from '../api/errors.ts';
import type { CheckInResult } from '../gql/graphql.ts';
import { pause, waitSeconds } from '../screen/back-off.ts';
import { checkIn } from './queries.ts';
import { addRefused, clearRefused, type Refused, readRefused } from './refused.ts';
import { addWaiting, readWaiting, removeWaiting, type Waiting } from './waiting.ts';

/** Sends what was scanned offline as soon as the service is back, the oldest first. */
export function useUploads(token: string | null) {
  const [count, setCount] = useState(() => readWaiting().length);
  const [refused, setRefused] = useState(readRefused);
  const bell = useRef(new EventTarget());
  const latest = useRef(token);
  latest.current = token;

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
        const outcome = await send(scan, latest.current);
        if (outcome.done) {
          failures = 0;
          removeWaiting(scan);
          if (outcome.refused) addRefused(outcome.refused);
          setRefused(readRefused());
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

  const clear = useCallback(() => {
    clearRefused();
    setRefused([]);
  }, []);

  return { count, refused, later, clear };
}

export type Uploads = ReturnType<typeof useUploads>;

type Outcome = { done: true; refused: Refused | null } | { done: false; retryAfter: number | null };

async function send(scan: Waiting, token: string | null): Promise<Outcome> {
  const { scanId, occurredAt } = scan;
  const leaving = scan.leaving === true;
  const refused = (what: Pick<Refused, 'result' | 'label' | 'why'>): Outcome => ({
    done: true,
    refused: { scanId: String(scanId), occurredAt: String(occurredAt), leaving, ...what },
  });
  try {
    const { result, label } = await checkIn(scan, token);
    return isGood(result, leaving)
      ? { done: true, refused: null }
      : refused({ result, label, why: null });
  } catch (thrown) {
    if (isTimeout(thrown) || isPassing(thrown)) return { done: false, retryAfter: null };
    const { code, details, message } = asApiError(thrown);
    return code === 'RATE_LIMITED'
      ? { done: false, retryAfter: details.retryAfterSeconds ?? 30 }
      : refused({ result: null, label: null, why: message });
  }
}

/** Who was in already did no harm by going in: they scanned twice, or once more on the way. */
const isGood = (result: CheckInResult, leaving: boolean) =>
  leaving ? result === 'CHECKED_OUT' : result === 'ADMITTED' || result === 'ALREADY_IN';

export const isTimeout = (thrown: unknown) =>
  thrown instanceof DOMException &&
  (thrown.name === 'TimeoutError' || thrown.name === 'AbortError');
