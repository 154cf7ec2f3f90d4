import type { Logger } from 'pino';

/** Collects small updates in memory and writes them once a second, so that no response waits for them. */
export interface WriteBehind {
  /** Adds a buffer for one kind of update. Returns a function that adds one update to it. */
  addBuffer<Update>(buffer: UpdateBuffer<Update>): (id: string, update: Update) => void;
  /** Writes the remaining updates and stops. */
  stop(): Promise<void>;
}

interface UpdateBuffer<Update> {
  /** Writes updates by the ids of their rows. After a failure, they are written again with the next ones. */
  write(updates: Map<string, Update>): Promise<unknown>;
  /** Merges two updates of one row. */
  merge(older: Update, newer: Update): Update;
}

const FLUSH_INTERVAL_MS = 1_000;

export function startWriteBehind(log: Logger): WriteBehind {
  const flushes: (() => Promise<void>)[] = [];

  const addBuffer: WriteBehind['addBuffer'] = (buffer) => {
    const { add, flush } = createBuffer(buffer, log);
    flushes.push(flush);
    return add;
  };
  const flushAll = async () => {
    for (const flush of flushes) await flush();
  };
  let flushing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    flushing = flushing.then(flushAll);
  }, FLUSH_INTERVAL_MS).unref();

  return {
    addBuffer,
    stop: async () => {
      clearInterval(timer);
      await flushing;
      await flushAll();
    },
  };
}

function createBuffer<Update>({ write, merge }: UpdateBuffer<Update>, log: Logger) {
  const pending = new Map<string, Update>();
  const add = (id: string, update: Update) => {
    const older = pending.get(id);
    pending.set(id, older === undefined ? update : merge(older, update));
  };
  const flush = async () => {
    if (pending.size === 0) return;
    const batch = new Map(pending);
    pending.clear();
    try {
      await write(batch);
    } catch (error) {
      log.warn({ err: error }, 'could not write collected updates; retrying');
      for (const [id, update] of batch) {
        const newer = pending.get(id);
        pending.set(id, newer === undefined ? update : merge(update, newer));
      }
    }
  };
  return { add, flush };
}
