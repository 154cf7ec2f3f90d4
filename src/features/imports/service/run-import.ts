import { type Context, runInTransaction } from '../../../context.ts';
import { isExclusionViolation } from '../../../db/constraint-errors.ts';
import { RetryableConflict } from '../../../errors.ts';

/**
 * Runs an import, or undoes one, in one transaction: it succeeds as a whole or changes nothing. A dry run does the same work and
 * rolls it back, so that its report cannot differ from the real one. They run one at a time, and for each it is the same time
 * from its start to its end. If someone takes a slot meanwhile,
 * it runs again, and finds the new booking or event.
 */
export async function runImport<Report>(
  ctx: Context,
  dryRun: boolean,
  work: (ctx: Context) => Promise<Report>,
): Promise<Report> {
  if (ctx.isInTransaction) throw new Error('An import starts its own transaction.');
  let dryRunReport: { report: Report } | null = null;
  try {
    return await runInTransaction(ctx, async (tx) => {
      await tx.db.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('foyer imports'))`;
      const startedAt = tx.now();
      const report = await work({ ...tx, now: () => startedAt }).catch(throwRetryable);
      if (!dryRun) return report;
      dryRunReport = { report };
      throw new DryRunRollback();
    });
  } catch (error) {
    if (error instanceof DryRunRollback && dryRunReport !== null)
      return (dryRunReport as { report: Report }).report;
    throw error;
  }
}

class DryRunRollback extends Error {}

function throwRetryable(error: unknown): never {
  if (!isExclusionViolation(error)) throw error;
  throw new RetryableConflict(
    { reason: 'SLOT_TAKEN' },
    'A slot was taken while the import ran, so nothing was imported. Import the file again.',
  );
}
