import type { Logger } from 'pino';
import { recordSessionUses, type SessionUse } from '../auth/sessions.ts';
import { prepareStatement, type Sql } from '../db/prepared-statement.ts';

/** Collects small updates in memory and writes them once a second, so that no response waits for them. */
export interface WriteBehind {
  recordTokenUse(id: string): void;
  recordSessionUse(id: string, userAgent: string | undefined): void;
  /** Adds a buffer for updates of another kind. Returns the function that puts one update into it. */
  addBuffer<Update>(buffer: UpdateBuffer<Update>): (id: string, update: Update) => void;
  /** Writes the remaining updates and stops. */
  stop(): Promise<void>;
}

interface UpdateBuffer<Update> {
  /** Writes the updates by the ids of their rows. Those of a failed write are written again with the next ones. */
  write(updates: Map<string, Update>): Promise<unknown>;
  /** Joins two updates of one row. */
  merge(older: Update, newer: Update): Update;
}

const FLUSH_INTERVAL_MS = 1_000;

export function startWriteBehind(deps: { sql: Sql; now(): Date; log: Logger }): WriteBehind {
  const { sql, now, log } = deps;
  const flushes: (() => Promise<void>)[] = [];

  const addBuffer: WriteBehind['addBuffer'] = (buffer) => {
    const { add, flush } = createBuffer(buffer, log);
    flushes.push(flush);
    return add;
  };
  const addTokenUse = addBuffer<Date>({
    write: (uses) => sql(RECORD_TOKEN_USES, [[...uses.keys()], [...uses.values()]]),
    merge: (_, newer) => newer,
  });
  const addSessionUse = addBuffer<SessionUse>({
    write: (uses) => recordSessionUses(sql, uses),
    merge: (_, newer) => newer,
  });

  const flushAll = async () => {
    for (const flush of flushes) await flush();
  };
  let flushing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    flushing = flushing.then(flushAll);
  }, FLUSH_INTERVAL_MS).unref();

  return {
    recordTokenUse: (id) => addTokenUse(id, now()),
    recordSessionUse: (id, userAgent) => addSessionUse(id, { at: now(), userAgent }),
    addBuffer,
    stop: async () => {
      clearInterval(timer);
      await flushing;
      await flushAll();
    },
  };
}

// People need to know the minute of a token's last use and no more, so a busy token costs one write a minute.
const RECORD_TOKEN_USES = prepareStatement(`
  UPDATE api_tokens SET last_used_at = seen.at
  FROM unnest($1::uuid[], $2::timestamptz[]) AS seen (id, at)
  WHERE api_tokens.id = seen.id AND (last_used_at IS NULL OR last_used_at < seen.at - interval '1 minute')`);

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
