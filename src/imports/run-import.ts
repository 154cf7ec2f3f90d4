import { type Context, runInTransaction } from '../context.ts';
import type { ImportReport, OnProgress } from './report.ts';

/**
 * Runs an import in one transaction: it succeeds as a whole or changes nothing. A dry run does the same work and rolls it
 * back, so that its report cannot differ from the real one. Imports run one at a time.
 */
export async function runImport(
  ctx: Context,
  dryRun: boolean,
  work: (ctx: Context) => Promise<ImportReport>,
): Promise<ImportReport> {
  if (ctx.isInTransaction) throw new Error('An import starts its own transaction.');
  let dryRunReport: ImportReport | null = null;
  try {
    return await runInTransaction(ctx, async (tx) => {
      await tx.db.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('foyer imports'))`;
      const report = await work(tx);
      if (!dryRun) return report;
      dryRunReport = report;
      throw new DryRunRollback();
    });
  } catch (error) {
    if (error instanceof DryRunRollback && dryRunReport) return dryRunReport;
    throw error;
  }
}

class DryRunRollback extends Error {}

// Rows of up to sixteen columns stay below the 32,767 parameters that Prisma allows one statement.
const MAX_ROWS_PER_STATEMENT = 1000;

/** Processes items in order, one batch per statement, and collects the results. */
export async function mapInBatches<Item, Result>(
  items: Item[],
  work: (batch: Item[]) => Promise<Result[]>,
  onProgress?: OnProgress,
): Promise<Result[]> {
  const results: Result[] = [];
  onProgress?.(0, items.length);
  for (let from = 0; from < items.length; from += MAX_ROWS_PER_STATEMENT) {
    const batch = items.slice(from, from + MAX_ROWS_PER_STATEMENT);
    results.push(...(await work(batch)));
    onProgress?.(from + batch.length, items.length);
  }
  return results;
}
