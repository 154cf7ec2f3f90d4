import type { Logger } from 'pino';
import type { Sql } from '../db/sql.ts';
import { statement } from '../db/sql.ts';

/** Small notes that need not be written before the answer: counted in memory and written together. */
export interface WriteBehind {
  tokenUsed(id: string): void;
  displaySeen(id: string): void;
  /** Writes what is waiting and stops. */
  stop(): Promise<void>;
}

const EVERY_MS = 1_000;

// Once a minute is enough for people to see what is in use, so a busy token costs one write a minute.
const TOKENS_USED = statement(`
  UPDATE api_tokens SET last_used_at = seen.at
  FROM unnest($1::uuid[], $2::timestamptz[]) AS seen (id, at)
  WHERE api_tokens.id = seen.id AND (last_used_at IS NULL OR last_used_at < seen.at - interval '1 minute')`);

const DISPLAYS_SEEN = statement(`
  UPDATE displays SET last_seen_at = seen.at
  FROM unnest($1::uuid[], $2::timestamptz[]) AS seen (id, at)
  WHERE displays.id = seen.id AND (last_seen_at IS NULL OR last_seen_at < seen.at)`);

export function startWriteBehind(deps: { sql: Sql; now(): Date; log: Logger }): WriteBehind {
  const tokens = new Map<string, Date>();
  const displays = new Map<string, Date>();

  const write = async () => {
    await flush(deps, TOKENS_USED, tokens);
    await flush(deps, DISPLAYS_SEEN, displays);
  };
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, EVERY_MS).unref();

  return {
    tokenUsed: (id) => tokens.set(id, deps.now()),
    displaySeen: (id) => displays.set(id, deps.now()),
    stop: async () => {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
}

async function flush(
  { sql, log }: { sql: Sql; log: Logger },
  update: typeof TOKENS_USED,
  waiting: Map<string, Date>,
): Promise<void> {
  if (waiting.size === 0) return;
  const batch = [...waiting];
  waiting.clear();
  try {
    await sql(update, [batch.map(([id]) => id), batch.map(([, at]) => at)]);
  } catch (error) {
    log.warn({ err: error }, 'could not note what was seen; trying again');
    for (const [id, at] of batch) if (!waiting.has(id)) waiting.set(id, at);
  }
}
