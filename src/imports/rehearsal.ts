import { type Ctx, inTransaction } from '../context.ts';
import type { ImportReport } from './report.ts';

/**
 * All or nothing, and with `dryRun` nothing: the same work is done and taken back, so that the report of a dry
 * run cannot differ from that of the real one. One import runs at a time; a second waits and then sees the first.
 */
export async function importing(
  ctx: Ctx,
  dryRun: boolean,
  work: (ctx: Ctx) => Promise<ImportReport>,
): Promise<ImportReport> {
  if (ctx.atomic) throw new Error('An import begins its own transaction.');
  let rehearsed: ImportReport | null = null;
  try {
    return await inTransaction(ctx, async (inside) => {
      await inside.db.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('foyer imports'))`;
      const report = await work(inside);
      if (!dryRun) return report;
      rehearsed = report;
      throw new EndOfRehearsal();
    });
  } catch (error) {
    if (error instanceof EndOfRehearsal && rehearsed) return rehearsed;
    throw error;
  }
}

class EndOfRehearsal extends Error {}
