/** Runs items with the same key together. All items of one key must be of the same type. */
export type BatchQueue = <Item, Result>(
  key: string,
  item: Item,
  run: RunBatch<Item, Result>,
) => Promise<Result>;

/** Returns what became of each item. */
type RunBatch<Item, Result> = (items: Item[]) => Promise<Settled<Item, Result>>;

export type Settled<Item, Result> = Map<Item, PromiseSettledResult<Result>>;

interface Waiting {
  item: unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Collects items by key: those that arrive while a batch of their key runs form the next one, at most `maxSize` together and
 * in the order of their arrival. Settles each as its batch says, and rejects all of a batch that throws.
 */
export function createBatchQueue(maxSize: number): BatchQueue {
  const waitingByKey = new Map<string, Waiting[]>();

  const runAll = async (key: string, waiting: Waiting[], run: RunBatch<unknown, unknown>) => {
    // Items of the same tick start together.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxSize);
      try {
        const settled = await run(batch.map(({ item }) => item));
        for (const entry of batch) settle(entry, settled.get(entry.item));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    waitingByKey.delete(key);
  };

  return <Item, Result>(key: string, item: Item, run: RunBatch<Item, Result>) =>
    new Promise<Result>((resolve, reject) => {
      const entry = { item, resolve, reject } as Waiting;
      const waiting = waitingByKey.get(key);
      if (waiting !== undefined) {
        waiting.push(entry);
        return;
      }
      const first = [entry];
      waitingByKey.set(key, first);
      void runAll(key, first, run as RunBatch<unknown, unknown>);
    });
}

function settle(
  { resolve, reject }: Waiting,
  settled: PromiseSettledResult<unknown> | undefined,
): void {
  if (settled === undefined) reject(new Error('a batch has not settled one of its items'));
  else if (settled.status === 'fulfilled') resolve(settled.value);
  else reject(settled.reason);
}
