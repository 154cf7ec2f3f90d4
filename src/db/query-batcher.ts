const MAX_KEYS_PER_STATEMENT = 500;

export interface QueryBatcherOptions<Key> {
  /** How many statements can run at the same time. */
  maxInFlight: number;
  /**
   * Names the row that the statement writes for a key. Keys of one row are never in two statements at the same time, so they
   * apply in the order of the calls. Omit it for reads.
   */
  toRow?: (key: Key) => string;
}

interface Call<Key, Value> {
  key: Key;
  resolve(value: Value | null): void;
  reject(error: unknown): void;
}

/**
 * Combines the same lookup of many requests into few statements: keys that arrive while the maximum number of statements
 * runs share the next one. Nothing is cached: the statement for a key always begins after the call.
 *
 * Several statements in flight keep the database busy while the process handles results. Statements that write must lock
 * their rows in one order, such as that of the ids, so that two of them cannot deadlock.
 */
export function createQueryBatcher<Key, Value>(
  query: (keys: readonly Key[]) => Promise<(Value | null)[]>,
  { maxInFlight, toRow }: QueryBatcherOptions<Key>,
): (key: Key) => Promise<Value | null> {
  let waiting: Call<Key, Value>[] = [];
  let inFlight = 0;
  let isScheduled = false;
  const rowsInFlight = new Set<string>();

  const schedule = () => {
    if (isScheduled || inFlight >= maxInFlight || waiting.length === 0) return;
    isScheduled = true;
    // Requests that the event loop reads in one turn share a statement.
    setImmediate(() => {
      isScheduled = false;
      sendNext();
    });
  };

  const sendNext = () => {
    if (inFlight >= maxInFlight) return;
    const calls = takeCalls();
    if (calls.length === 0) return;
    void send(calls);
    schedule();
  };

  /** Takes the calls of the next statement. Later calls of a row in flight wait for its statement, in their order. */
  const takeCalls = (): Call<Key, Value>[] => {
    if (toRow === undefined) return waiting.splice(0, MAX_KEYS_PER_STATEMENT);
    const taken: Call<Key, Value>[] = [];
    const rest: Call<Key, Value>[] = [];
    for (const call of waiting) {
      const isFree = taken.length < MAX_KEYS_PER_STATEMENT && !rowsInFlight.has(toRow(call.key));
      (isFree ? taken : rest).push(call);
    }
    waiting = rest;
    for (const { key } of taken) rowsInFlight.add(toRow(key));
    return taken;
  };

  const send = async (calls: Call<Key, Value>[]) => {
    inFlight += 1;
    try {
      const values = await query(calls.map(({ key }) => key));
      for (const [n, { resolve }] of calls.entries()) resolve(values[n] ?? null);
    } catch (error) {
      for (const { reject } of calls) reject(error);
    } finally {
      inFlight -= 1;
      if (toRow) for (const { key } of calls) rowsInFlight.delete(toRow(key));
      sendNext();
    }
  };

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      schedule();
    });
}
