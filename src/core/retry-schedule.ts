import { HOUR_MS, MINUTE_MS } from './time/time-zone.ts';

const SECOND_MS = 1_000;

/** When failed work is retried, and whether retries stop. */
export interface RetrySchedule {
  /** The delays between one failed attempt and the next. */
  delaysMs: readonly number[];
  /** Whether retries stop after the last delay. Otherwise the last delay repeats. */
  givesUp: boolean;
}

/** All retry schedules. */
export const RETRY_SCHEDULES = {
  /** About 27 hours in total. */
  emails: {
    delaysMs: [2, 5, 15, 60, 120, 240, 480, 720].map((minutes) => minutes * MINUTE_MS),
    givesUp: true,
  },
  /** About three days in total. */
  webhooks: {
    delaysMs: [
      5 * SECOND_MS,
      5 * MINUTE_MS,
      30 * MINUTE_MS,
      ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
    ],
    givesUp: true,
  },
  /** About two days in total. */
  refunds: {
    delaysMs: [2, 5, 15, 60, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE_MS),
    givesUp: true,
  },
  /** Delays double up to a day and a half. Retries never stop, since an event can report a payment. */
  providerEvents: {
    delaysMs: Array.from({ length: 12 }, (_, attempt) => 2 ** attempt * MINUTE_MS),
    givesUp: false,
  },
} satisfies Record<string, RetrySchedule>;

/** Returns the maximum number of attempts: Infinity if retries never stop. */
export const getMaxAttempts = ({ delaysMs, givesUp }: RetrySchedule): number =>
  givesUp ? delaysMs.length + 1 : Number.POSITIVE_INFINITY;

/** Returns when to retry after this many failed attempts, or null if that was the last one. */
export function findNextAttempt(schedule: RetrySchedule, attempts: number, now: Date): Date | null {
  if (attempts >= getMaxAttempts(schedule)) return null;
  const delayMs = schedule.delaysMs[Math.max(attempts, 1) - 1] ?? schedule.delaysMs.at(-1);
  return delayMs === undefined ? null : new Date(now.getTime() + delayMs);
}
