import { useCallback, useEffect, useRef, useState } from 'react';
import { isTransient, toApiError } from '../api/errors.ts';
import { getRetryDelaySeconds, sleep } from '../display/back-off.ts';
import type { CheckInInput, CheckInResult } from '../gql/graphql.ts';
import {
  addRejectedScan,
  clearRejectedScans,
  createStoredList,
  type RejectedScan,
  readRejectedScans,
} from './kiosk-storage.ts';
import { checkIn } from './queries.ts';

/** Sends what was scanned offline as soon as the service is back, the oldest first. */
export function useOfflineQueue(token: string | null) {
  const [count, setCount] = useState(() => readQueue().length);
  const [refused, setRefused] = useState(readRejectedScans);
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
        const [scan] = readQueue();
        setCount(readQueue().length);
        if (scan === undefined) {
          failures = 0;
          await sleep(600, work.signal, bell.current);
          continue;
        }
        const outcome = await sendScan(scan, latest.current);
        if (outcome.done) {
          failures = 0;
          removeFromQueue(scan);
          if (outcome.rejected) addRejectedScan(outcome.rejected);
          setRefused(readRejectedScans());
        } else {
          failures += 1;
          await sleep(
            getRetryDelaySeconds(failures, outcome.retryAfter),
            work.signal,
            bell.current,
          );
        }
      }
    }
    void run();
    return () => {
      work.abort();
      window.removeEventListener('online', ring);
    };
  }, []);

  const later = useCallback((scan: QueuedScan) => {
    const isKept = addToQueue(scan);
    setCount(readQueue().length);
    if (isKept) setTimeout(() => bell.current.dispatchEvent(new Event('online')), 2_000);
    return isKept;
  }, []);

  const clear = useCallback(() => {
    clearRejectedScans();
    setRefused([]);
  }, []);

  return { count, rejected: refused, enqueue: later, clear };
}

export type OfflineQueue = ReturnType<typeof useOfflineQueue>;

type SendOutcome =
  | { done: true; rejected: RejectedScan | null }
  | { done: false; retryAfter: number | null };

async function sendScan(scan: QueuedScan, token: string | null): Promise<SendOutcome> {
  const { scanId, occurredAt } = scan;
  const leaving = scan.leaving === true;
  const refused = (what: Pick<RejectedScan, 'result' | 'label' | 'why'>): SendOutcome => ({
    done: true,
    rejected: { scanId: String(scanId), occurredAt: String(occurredAt), leaving, ...what },
  });
  try {
    const { result, label } = await checkIn(scan, token);
    return isAccepted(result, leaving)
      ? { done: true, rejected: null }
      : refused({ result, label, why: null });
  } catch (thrown) {
    if (isTimeout(thrown) || isTransient(thrown)) return { done: false, retryAfter: null };
    const { code, details, message } = toApiError(thrown);
    return code === 'RATE_LIMITED'
      ? { done: false, retryAfter: details.retryAfterSeconds ?? 30 }
      : refused({ result: null, label: null, why: message });
  }
}

/** Who was in already did no harm by going in: they scanned twice, or once more on the way. */
const isAccepted = (result: CheckInResult, leaving: boolean) =>
  leaving ? result === 'CHECKED_OUT' : result === 'ADMITTED' || result === 'ALREADY_IN';

export const isTimeout = (thrown: unknown) =>
  thrown instanceof DOMException &&
  (thrown.name === 'TimeoutError' || thrown.name === 'AbortError');

/** A scan that was taken while the service could not be reached. Sent twice, it is one: it has its scanId. */
type QueuedScan = Required<
  Pick<CheckInInput, 'locationId' | 'code' | 'leaving' | 'scanId' | 'occurredAt'>
>;

const { read, write } = createStoredList<QueuedScan>('kiosk-waiting');

const readQueue = read;

/** False where the browser keeps nothing. */
const addToQueue = (scan: QueuedScan): boolean => write([...read(), scan]);

const removeFromQueue = ({ scanId }: QueuedScan) =>
  write(read().filter((scan) => scan.scanId !== scanId));
