/** Runs items with the same key together. All items of one key must be of the same type. */
export type BatchQueue = <Item>(
  key: string,
  item: Item,
  run: (items: Item[]) => Promise<void>,
) => Promise<void>;

interface Waiting {
  item: unknown;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Collects items by key: those that arrive while a batch of their key runs form the next one, at most `maxSize` together and
 * in the order of their arrival. Resolves when the batch of the item has run, and rejects with its error.
 */
export function createBatchQueue(maxSize: number): BatchQueue {
  const waitingByKey = new Map<string, Waiting[]>();

  const runAll = async <Item>(
    key: string,
    waiting: Waiting[],
    run: (items: Item[]) => Promise<void>,
  ) => {
    // Items of the same tick start together.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxSize);
      try {
        await run(batch.map(({ item }) => item as Item));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    waitingByKey.delete(key);
  };

  return (key, item, run) =>
    new Promise<void>((resolve, reject) => {
      const entry = { item, resolve, reject };
      const waiting = waitingByKey.get(key);
      if (waiting !== undefined) {
        waiting.push(entry);
        return;
      }
      const first = [entry];
      waitingByKey.set(key, first);
      void runAll(key, first, run);
    });
}
