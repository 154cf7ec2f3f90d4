import DataLoader from 'dataloader';

const MAX_QUERIES_PER_BATCH = 500;

/**
 * Batches many small queries into few statements: while one runs, further keys collect for the next. Nothing is cached:
 * every key is answered by a statement that began after its call.
 */
export function createQueryBatcher<Key, Value>(
  query: (keys: readonly Key[]) => Promise<(Value | null)[]>,
): (key: Key) => Promise<Value | null> {
  let isBusy = false;
  const waiting: (() => void)[] = [];
  const loader = new DataLoader<Key, Value | null>(
    async (keys) => {
      isBusy = true;
      try {
        return await query(keys);
      } finally {
        isBusy = false;
        waiting.shift()?.();
      }
    },
    {
      cache: false,
      maxBatchSize: MAX_QUERIES_PER_BATCH,
      batchScheduleFn: (begin) => {
        if (!isBusy) setImmediate(begin);
        else waiting.push(begin);
      },
    },
  );
  return (key) => loader.load(key);
}
