import type { Logger } from 'pino';
import { recordSessionUses, type SessionUse } from '../auth/sessions.ts';
import { prepareStatement, type Sql } from '../db/prepared-statement.ts';
import {
  type Heartbeat,
  mergeHeartbeats,
  recordHeartbeats,
  type Telemetry,
} from '../features/displays/heartbeats.ts';

/** Small notes that need not be written before the answer: counted in memory and written together. */
export interface WriteBehind {
  recordTokenUse(id: string): void;
  recordSessionUse(id: string, userAgent: string | undefined): void;
  recordHeartbeat(id: string, telemetry?: Telemetry): void;
  /** Writes what is waiting and stops. */
  stop(): Promise<void>;
}

const FLUSH_INTERVAL_MS = 1_000;

// Once a minute is enough for people to see what is in use, so a busy token costs one write a minute.
const RECORD_TOKEN_USES = prepareStatement(`
  UPDATE api_tokens SET last_used_at = seen.at
  FROM unnest($1::uuid[], $2::timestamptz[]) AS seen (id, at)
  WHERE api_tokens.id = seen.id AND (last_used_at IS NULL OR last_used_at < seen.at - interval '1 minute')`);

export function startWriteBehind(deps: { sql: Sql; now(): Date; log: Logger }): WriteBehind {
  const { sql, now, log } = deps;
  const tokens = new Map<string, Date>();
  const sessions = new Map<string, SessionUse>();
  const displays = new Map<string, Heartbeat>();

  const write = async () => {
    await flush(
      log,
      tokens,
      (used) => sql(RECORD_TOKEN_USES, [[...used.keys()], [...used.values()]]),
      (_, later) => later,
    );
    await flush(
      log,
      sessions,
      (used) => recordSessionUses(sql, used),
      (_, later) => later,
    );
    await flush(log, displays, (seen) => recordHeartbeats(sql, seen, now()), mergeHeartbeats);
  };
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, FLUSH_INTERVAL_MS).unref();

  return {
    recordTokenUse: (id) => tokens.set(id, now()),
    recordSessionUse: (id, userAgent) => sessions.set(id, { at: now(), userAgent }),
    recordHeartbeat: (id, telemetry) => {
      const pulse = { at: now().getTime(), telemetry };
      const known = displays.get(id);
      displays.set(id, known ? mergeHeartbeats(known, pulse) : pulse);
    },
    stop: async () => {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
}

async function flush<Note>(
  log: Logger,
  waiting: Map<string, Note>,
  write: (notes: Map<string, Note>) => Promise<unknown>,
  merge: (before: Note, later: Note) => Note,
): Promise<void> {
  if (waiting.size === 0) return;
  const batch = new Map(waiting);
  waiting.clear();
  try {
    await write(batch);
  } catch (error) {
    log.warn({ err: error }, 'could not note what was seen; trying again');
    for (const [id, note] of batch) {
      const later = waiting.get(id);
      waiting.set(id, later === undefined ? note : merge(note, later));
    }
  }
}
