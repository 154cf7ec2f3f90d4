import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import type { Installation, Problem, ProblemCode } from '../types.ts';
import { findProblems } from './find-problems.ts';
import { readSystemStatus } from './read-status.ts';

/**
 * Returns a function that checks the installation, and logs each problem once when it begins and once when it ends. Every instance
 * logs its own problems; those of the whole space are logged by one of them. A check that fails, such as without a database, is logged the same way.
 */
export function createProblemWatch(ctx: Context, installation: Installation): () => Promise<void> {
  let ofInstance = new Map<ProblemCode, string>();
  let isFailing = false;
  return async () => {
    try {
      const status = await readSystemStatus(ctx, installation);
      const problems = findProblems(status, installation.config);
      const found = problems.filter(({ isOfInstance }) => isOfInstance);
      for (const problem of found) if (!ofInstance.has(problem.code)) logBegin(ctx, problem);
      const codes = new Set(found.map(({ code }) => code));
      for (const [code, message] of ofInstance)
        if (!codes.has(code)) logEnd(ctx, { code, message });
      ofInstance = new Map(found.map(({ code, message }) => [code, message]));
      const shared = problems.filter(({ isOfInstance }) => !isOfInstance);
      if (!status.database.isReadOnly) await recordShared(ctx, shared);
      if (isFailing) ctx.log.info('solved: the system check works again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) ctx.log.warn({ err: error }, 'the system check failed; trying each minute');
      isFailing = true;
    }
  };
}

// Whichever instance inserts or deletes a row logs it. A problem that goes on keeps the row of its beginning. It has ended when no
// instance has seen it for three checks: one with other settings, such as another SMTP_URL, or of an older version does not see it.
const UPDATE_PROBLEMS = prepareStatement(`
  WITH found AS (SELECT * FROM unnest($1::text[], $2::text[]) AS problem (code, message)),
    seen AS (
      INSERT INTO system_problems (code, message, since, seen_at)
      SELECT code, message, $3::timestamptz, now() FROM found ORDER BY code
      ON CONFLICT (code) DO UPDATE SET seen_at = excluded.seen_at
      RETURNING code, message, since, xmax = 0 AS is_new),
    ended AS (
      DELETE FROM system_problems WHERE code <> ALL ($1::text[]) AND seen_at < now() - interval '150 seconds'
      RETURNING code, message, since)
  SELECT 'begun' AS change, code, message, since FROM seen WHERE is_new
  UNION ALL SELECT 'ended', code, message, since FROM ended`);

interface ProblemChange {
  change: 'begun' | 'ended';
  code: ProblemCode;
  message: string;
  since: Date;
}

async function recordShared(ctx: Context, problems: Problem[]): Promise<void> {
  const changes = await ctx.lockingSql<ProblemChange>(UPDATE_PROBLEMS, [
    problems.map(({ code }) => code),
    problems.map(({ message }) => message),
    ctx.now(),
  ]);
  for (const { change, code, message, since } of changes) {
    const problem = problems.find((one) => one.code === code);
    if (change === 'ended') logEnd(ctx, { code, message, since });
    else if (problem) logBegin(ctx, problem);
  }
}

const logBegin = ({ log }: Context, { code, message, remedy }: Problem) =>
  log.warn({ problem: code }, `${message.replace(/[^.]$/, '$&.')} ${remedy}`);

const logEnd = (
  { log }: Context,
  { code, message, since }: { code: ProblemCode; message: string; since?: Date },
) => log.info({ problem: code, ...(since && { since }) }, `solved: ${message}`);

/** Returns since when the problems of the whole space are known, by their codes. */
export async function readKnownSince({ db }: Context): Promise<Map<string, Date>> {
  const rows = await db.systemProblem.findMany();
  return new Map(rows.map(({ code, since }) => [code, since]));
}
