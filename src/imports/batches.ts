import { toBatches } from '../core/batches.ts';
import type { OnProgress } from './report.ts';

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
  let done = 0;
  for (const batch of toBatches(items, MAX_ROWS_PER_STATEMENT)) {
    results.push(...(await work(batch)));
    done += batch.length;
    onProgress?.(done, items.length);
  }
  return results;
}
