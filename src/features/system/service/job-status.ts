import cronParser from 'cron-parser';
import { MINUTE_MS } from '../../../core/time/time-zone.ts';
import type { RunKind } from '../../../db/generated/enums.ts';
import type { JobStatus } from '../types.ts';

/** A row of `last_runs`. */
export interface LastRun {
  kind: RunKind;
  name: string;
  startedAt: Date;
  durationMs: number;
  succeededAt: Date | null;
  failedAt: Date | null;
  error: string | null;
}

/** A run can last this long, and another job can keep it waiting. */
const MAX_DELAY_MS = 15 * MINUTE_MS;

/**
 * The state of a job at `now`. A job is late if a run that was due since the process started has not begun within 15 minutes. A job
 * that has never run counts from the start of the process.
 */
export function toJobStatus(
  { name, cron }: { name: string; cron: string },
  run: LastRun | undefined,
  { now, startedAt }: { now: Date; startedAt: Date },
): JobStatus {
  const findNext = (currentDate: Date) =>
    cronParser.parseExpression(cron, { currentDate, tz: 'UTC' }).next().toDate();
  const failedAt = run?.failedAt ?? null;
  const succeededAt = run?.succeededAt ?? null;
  const dueAt = findNext(new Date(Math.max(startedAt.getTime(), run?.startedAt.getTime() ?? 0)));
  return {
    name,
    lastRun: run ? { startedAt: run.startedAt, durationMs: run.durationMs } : null,
    lastFailure: failedAt ? { at: failedAt, error: run?.error ?? '' } : null,
    nextRunAt: findNext(now),
    isFailing: failedAt !== null && (succeededAt === null || failedAt > succeededAt),
    isLate: now.getTime() - dueAt.getTime() > MAX_DELAY_MS,
  };
}
