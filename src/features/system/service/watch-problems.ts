import type { Context } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import type { Installation, Problem, ProblemCode } from '../types.ts';
import { findProblems } from './find-problems.ts';
import { readSystemStatus } from './read-status.ts';

/**
 * Returns a function that checks the installation, and logs each problem once when it begins and once when it ends. Every instance
 * logs its own problems; those of the whole space are logged by one of them. If the database cannot be read, that is the problem.
 */
export function createProblemWatch(ctx: Context, installation: Installation): () => Promise<void> {
  let ofInstance = new Map<ProblemCode, string>();
  let isDatabaseDown = false;
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
      if (isDatabaseDown) ctx.log.info('solved: the system check can use the database again');
      isDatabaseDown = false;
    } catch (error) {
      if (!isDatabaseDown)
        ctx.log.warn(
          { err: error },
          'the system check cannot use the database; trying each minute',
        );
      isDatabaseDown = true;
    }
  };
}

// Whichever instance inserts or deletes a row logs it. A problem that goes on keeps the row of its beginning.
const UPDATE_PROBLEMS = prepareStatement(`
  WITH found AS (SELECT * FROM unnest($1::text[], $2::text[]) AS problem (code, message)),
    begun AS (
      INSERT INTO system_problems (code, message, since) SELECT code, message, $3::timestamptz FROM found ORDER BY code
      ON CONFLICT (code) DO NOTHING RETURNING code, message, since),
    ended AS (
      DELETE FROM system_problems WHERE code <> ALL ($1::text[]) RETURNING code, message, since)
  SELECT 'begun' AS change, * FROM begun UNION ALL SELECT 'ended', * FROM ended`);

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
