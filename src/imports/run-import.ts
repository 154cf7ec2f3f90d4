import { type Context, runInTransaction } from '../context.ts';
import type { ImportReport, OnProgress } from './report.ts';

/**
 * All or nothing, and with `dryRun` nothing: the same work is done and taken back, so that the report of a dry
 * run cannot differ from that of the real one. One import runs at a time; a second waits and then sees the first.
 */
export async function runImport(
  ctx: Context,
  dryRun: boolean,
  work: (ctx: Context) => Promise<ImportReport>,
): Promise<ImportReport> {
  if (ctx.isInTransaction) throw new Error('An import begins its own transaction.');
  let rehearsed: ImportReport | null = null;
  try {
    return await runInTransaction(ctx, async (inside) => {
      await inside.db.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('foyer imports'))`;
      const report = await work(inside);
      if (!dryRun) return report;
      rehearsed = report;
      throw new DryRunRollback();
    });
  } catch (error) {
    if (error instanceof DryRunRollback && rehearsed) return rehearsed;
    throw error;
  }
}

class DryRunRollback extends Error {}

// Rows of up to sixteen columns stay below the 32,767 parameters that Prisma allows one statement.
const MAX_ROWS_PER_STATEMENT = 1000;

/** Works through the items in order, a statement's worth at a time, and collects the results. */
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
