import { getRetryDelaySeconds, sleep } from '@foyer/client/device';
import { useCallback, useEffect, useRef, useState } from 'react';
import { isTransient, toApiError } from '../api/errors.ts';
import type { CheckInInput, CheckInResult } from '../gql/graphql.ts';
import {
  addRejectedScan,
  clearRejectedScans,
  createStoredList,
  type RejectedScan,
  readRejectedScans,
} from './kiosk-storage.ts';
import { checkIn } from './queries.ts';

const IDLE_CHECK_SECONDS = 600;

/** Sends scans that were made offline once the service is back, oldest first. */
export function useOfflineQueue(token: string | null) {
  const [count, setCount] = useState(() => readQueue().length);
  const [rejected, setRejected] = useState(readRejectedScans);
  const wakeUp = useRef(new EventTarget());
  const latestToken = useRef(token);
  latestToken.current = token;

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const onOnline = () => wakeUp.current.dispatchEvent(new Event('online'));
    window.addEventListener('online', onOnline);

    async function sendQueue(): Promise<void> {
      let failures = 0;
      while (!signal.aborted) {
        const queue = readQueue();
        const [scan] = queue;
        setCount(queue.length);
        if (scan === undefined) {
          failures = 0;
          await sleep(IDLE_CHECK_SECONDS, signal, wakeUp.current);
          continue;
        }
        const outcome = await sendScan(scan, latestToken.current);
        if (outcome.isDone) {
          failures = 0;
          removeFromQueue(scan);
          if (outcome.rejected) addRejectedScan(outcome.rejected);
          setRejected(readRejectedScans());
        } else {
          failures += 1;
          const delay = getRetryDelaySeconds(failures, outcome.retryAfterSeconds);
          await sleep(delay, signal, wakeUp.current);
        }
      }
    }
    void sendQueue();
    return () => {
      controller.abort();
      window.removeEventListener('online', onOnline);
    };
  }, []);

  const enqueue = useCallback((scan: QueuedScan) => {
    const isSaved = addToQueue(scan);
    setCount(readQueue().length);
    if (isSaved) setTimeout(() => wakeUp.current.dispatchEvent(new Event('online')), 2_000);
    return isSaved;
  }, []);

  const clear = useCallback(() => {
    clearRejectedScans();
    setRejected([]);
  }, []);

  return { count, rejected, enqueue, clear };
}

export type OfflineQueue = ReturnType<typeof useOfflineQueue>;

type SendOutcome =
  | { isDone: true; rejected: RejectedScan | null }
  | { isDone: false; retryAfterSeconds: number | null };

async function sendScan(scan: QueuedScan, token: string | null): Promise<SendOutcome> {
  const { scanId, occurredAt } = scan;
  const leaving = scan.leaving === true;
  const reject = (details: Pick<RejectedScan, 'result' | 'label' | 'why'>): SendOutcome => ({
    isDone: true,
    rejected: { scanId: String(scanId), occurredAt: String(occurredAt), leaving, ...details },
  });
  try {
    const { result, label } = await checkIn(scan, token);
    return isAccepted(result, leaving)
      ? { isDone: true, rejected: null }
      : reject({ result, label, why: null });
  } catch (error) {
    if (isTransient(error)) return { isDone: false, retryAfterSeconds: null };
    const { code, details, message } = toApiError(error);
    return code === 'RATE_LIMITED'
      ? { isDone: false, retryAfterSeconds: details.retryAfterSeconds ?? 30 }
      : reject({ result: null, label: null, why: message });
  }
}

/** ALREADY_IN is harmless: the guest scanned twice or was checked in before. */
const isAccepted = (result: CheckInResult, leaving: boolean) =>
  leaving ? result === 'CHECKED_OUT' : result === 'ADMITTED' || result === 'ALREADY_IN';

/** A scan made while the service was unreachable. Its scanId makes sending it twice safe. */
type QueuedScan = Required<
  Pick<CheckInInput, 'locationId' | 'code' | 'leaving' | 'scanId' | 'occurredAt'>
>;

const { read: readQueue, write: writeQueue } = createStoredList<QueuedScan>('kiosk-queue');

/** Returns false if the browser could not save the scan. */
const addToQueue = (scan: QueuedScan): boolean => writeQueue([...readQueue(), scan]);

const removeFromQueue = ({ scanId }: QueuedScan) =>
  writeQueue(readQueue().filter((scan) => scan.scanId !== scanId));
