import DataLoader from 'dataloader';

const MAX_QUERIES_PER_BATCH = 500;

/**
 * Many small questions as few statements: one is under way, and what is asked meanwhile goes together into the next one.
 * Nothing is remembered: every question is answered by a statement that began after it was asked.
 */
export function createQueryBatcher<Key, Value>(
  ask: (keys: readonly Key[]) => Promise<(Value | null)[]>,
): (key: Key) => Promise<Value | null> {
  let busy = false;
  const waiting: (() => void)[] = [];
  const loader = new DataLoader<Key, Value | null>(
    async (keys) => {
      busy = true;
      try {
        return await ask(keys);
      } finally {
        busy = false;
        waiting.shift()?.();
      }
    },
    {
      cache: false,
      maxBatchSize: MAX_QUERIES_PER_BATCH,
      batchScheduleFn: (begin) => {
        if (!busy) setImmediate(begin);
        else waiting.push(begin);
      },
    },
  );
  return (key) => loader.load(key);
}
