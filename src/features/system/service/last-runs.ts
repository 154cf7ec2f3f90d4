import { redact } from '../../../auth/tokens.ts';
import { maskEmail } from '../../../core/names.ts';
import type { AttemptResult, WorkMetrics } from '../../../core/work-metrics.ts';
import type { WriteBehind } from '../../../core/write-behind.ts';
import type { RunKind } from '../../../db/generated/enums.ts';
import { prepareStatement, type Sql } from '../../../db/prepared-statement.ts';

const MAX_ERROR_LENGTH = 300;

interface Run {
  startedAt: Date;
  durationMs: number;
  succeededAt: Date | null;
  failedAt: Date | null;
  error: string | null;
}

/**
 * Returns metrics that also record how each job and each queue of work last ended, for the system page of all instances. Each
 * instance writes what has ended at most once a second.
 */
export function recordLastRuns(
  metrics: WorkMetrics,
  { addBuffer }: Pick<WriteBehind, 'addBuffer'>,
  sql: Sql,
  now: () => Date,
): WorkMetrics {
  const add = addBuffer<Run>({
    write: (runs) => writeRuns(sql, runs),
    merge: (older, newer) => ({
      ...newer,
      succeededAt: newer.succeededAt ?? older.succeededAt,
      failedAt: newer.failedAt ?? older.failedAt,
      error: newer.error ?? older.error,
    }),
  });
  const record = (kind: RunKind, name: string, seconds: number, error: string | undefined) => {
    const endedAt = now();
    const durationMs = Math.round(seconds * 1_000);
    add(`${kind}:${name}`, {
      startedAt: new Date(endedAt.getTime() - durationMs),
      durationMs,
      succeededAt: error === undefined ? endedAt : null,
      failedAt: error === undefined ? null : endedAt,
      error: error === undefined ? null : toShownError(error),
    });
  };
  return {
    countJobRun: (job, outcome, seconds, error = 'It gave no reason.') => {
      metrics.countJobRun(job, outcome, seconds);
      record('job', job, seconds, outcome === 'failed' ? error : undefined);
    },
    countAttempt: (queue, outcome, seconds, outage) => {
      metrics.countAttempt(queue, outcome, seconds);
      if (!isUnrelated(outcome)) record('queue', queue, seconds, outage);
    },
  };
}

const WORD_ENDS = /([\s<>"'(),:;[\]\\])/;

/** Masks secrets in an error that managers see, and addresses: mail servers name recipients, who are people. */
export const toShownError = (error: string) =>
  redact(error)
    .split(WORD_ENDS)
    .map((word) => (word.includes('@') ? maskEmail(word) : word))
    .join('')
    .slice(0, MAX_ERROR_LENGTH);

/** The other side took no part in these attempts. */
const isUnrelated = (outcome: AttemptResult) => outcome === 'released' || outcome === 'settled';

// Instances write at different times, so an older run never replaces a newer one.
const WRITE_RUNS = prepareStatement(`
  INSERT INTO last_runs AS r (kind, name, started_at, duration_ms, succeeded_at, failed_at, error)
  SELECT split_part(id, ':', 1)::run_kind, split_part(id, ':', 2), started, duration, succeeded, failed, message
  FROM unnest($1::text[], $2::timestamptz[], $3::int[], $4::timestamptz[], $5::timestamptz[], $6::text[])
    AS run (id, started, duration, succeeded, failed, message)
  ORDER BY id
  ON CONFLICT (kind, name) DO UPDATE SET
    started_at = greatest(r.started_at, excluded.started_at),
    duration_ms = CASE WHEN excluded.started_at >= r.started_at THEN excluded.duration_ms ELSE r.duration_ms END,
    succeeded_at = greatest(r.succeeded_at, excluded.succeeded_at),
    failed_at = greatest(r.failed_at, excluded.failed_at),
    error = CASE WHEN excluded.failed_at IS NOT NULL AND (r.failed_at IS NULL OR excluded.failed_at >= r.failed_at)
      THEN excluded.error ELSE r.error END`);

function writeRuns(sql: Sql, runs: Map<string, Run>): Promise<unknown> {
  const all = [...runs.values()];
  return sql(WRITE_RUNS, [
    [...runs.keys()],
    all.map((run) => run.startedAt),
    all.map((run) => run.durationMs),
    all.map((run) => run.succeededAt),
    all.map((run) => run.failedAt),
    all.map((run) => run.error),
  ]);
}
