import { MINUTE_MS } from './time/time-zone.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 60 * MINUTE_MS;

/** When failed work is tried again, and when it is given up. */
export interface RetrySchedule {
  /**
   * How long one worker has the work for itself. It outlasts any attempt, so nobody else begins the work meanwhile; work
   * of a process that was killed is taken over afterwards.
   */
  leaseMs: number;
  /** From the end of one failed attempt to the next. */
  delaysMs: readonly number[];
  /** Whether the work is given up after the last delay; otherwise the last delay repeats. */
  givesUp: boolean;
}

/** The schedules of everything that is retried. */
export const RETRY_SCHEDULES = {
  /** A good day in all. */
  emails: {
    leaseMs: 2 * MINUTE_MS,
    delaysMs: [2, 5, 15, 60, 120, 240, 480, 720].map((minutes) => minutes * MINUTE_MS),
    givesUp: true,
  },
  /** About three days in all. */
  webhooks: {
    leaseMs: MINUTE_MS,
    delaysMs: [
      5 * SECOND_MS,
      5 * MINUTE_MS,
      30 * MINUTE_MS,
      ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
    ],
    givesUp: true,
  },
  /** About two days in all. */
  refunds: {
    leaseMs: 2 * MINUTE_MS,
    delaysMs: [2, 5, 15, 60, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE_MS),
    givesUp: true,
  },
  /** Doubles up to a day and a half. An event is never given up because of a failure of ours: it may report money. */
  providerEvents: {
    leaseMs: MINUTE_MS,
    delaysMs: Array.from({ length: 12 }, (_, attempt) => 2 ** attempt * MINUTE_MS),
    givesUp: false,
  },
} satisfies Record<string, RetrySchedule>;

/** How many attempts the work gets; Infinity if it is never given up. */
export const getMaxAttempts = ({ delaysMs, givesUp }: RetrySchedule): number =>
  givesUp ? delaysMs.length + 1 : Number.POSITIVE_INFINITY;

/** When to try again after so many failed attempts; null if that was the last one. */
export function findNextAttempt(schedule: RetrySchedule, attempts: number, now: Date): Date | null {
  if (attempts >= getMaxAttempts(schedule)) return null;
  const delayMs = schedule.delaysMs[Math.max(attempts, 1) - 1] ?? schedule.delaysMs.at(-1);
  return delayMs === undefined ? null : new Date(now.getTime() + delayMs);
}
