import type { WriteBehind } from '../core/write-behind.ts';
import { prepareStatement, type Sql } from '../db/prepared-statement.ts';
import { recordSessionUses, type SessionUse } from './sessions.ts';

/** Records when credentials are used, without delaying the request. */
export interface CredentialUses {
  recordTokenUse(id: string): void;
  recordSessionUse(id: string, userAgent: string | undefined): void;
}

export function createCredentialUses(
  { addBuffer }: Pick<WriteBehind, 'addBuffer'>,
  sql: Sql,
  now: () => Date,
): CredentialUses {
  const addTokenUse = addBuffer<Date>({
    write: (uses) => sql(RECORD_TOKEN_USES, [[...uses.keys()], [...uses.values()]]),
    merge: (_, newer) => newer,
  });
  const addSessionUse = addBuffer<SessionUse>({
    write: (uses) => recordSessionUses(sql, uses),
    merge: (_, newer) => newer,
  });
  return {
    recordTokenUse: (id) => addTokenUse(id, now()),
    recordSessionUse: (id, userAgent) => addSessionUse(id, { at: now(), userAgent }),
  };
}

// The last use of a token is only precise to the minute, so a busy token costs one write a minute.
const RECORD_TOKEN_USES = prepareStatement(`
  UPDATE api_tokens SET last_used_at = seen.at
  FROM unnest($1::uuid[], $2::timestamptz[]) AS seen (id, at)
  WHERE api_tokens.id = seen.id AND (last_used_at IS NULL OR last_used_at < seen.at - interval '1 minute')`);
