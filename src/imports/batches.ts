import type { OnProgress } from './report.ts';

// Rows of up to sixteen columns stay below the 32,767 parameters that Prisma allows one statement.
const ROWS_A_STATEMENT = 1000;

/** Works through the items in order, a statement's worth at a time, and collects the results. */
export async function inBatches<Item, Result>(
  items: Item[],
  work: (batch: Item[]) => Promise<Result[]>,
  onProgress?: OnProgress,
): Promise<Result[]> {
  const results: Result[] = [];
  onProgress?.(0, items.length);
  for (let from = 0; from < items.length; from += ROWS_A_STATEMENT) {
    const batch = items.slice(from, from + ROWS_A_STATEMENT);
    results.push(...(await work(batch)));
    onProgress?.(from + batch.length, items.length);
  }
  return results;
}
