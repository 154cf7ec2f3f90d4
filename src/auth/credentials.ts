import DataLoader from 'dataloader';
import type { DisplayKind } from '../db/generated/client.ts';
import { type Sql, type Statement, statement } from '../db/sql.ts';
import type { StaffRole } from './viewer.ts';

// Every request asks the database whether its credential still holds, so that a revocation counts at once on every
// instance. What arrives while the event loop is busy is asked in one statement, so it costs next to nothing.

export interface TokenRow {
  id: string;
  name: string;
  scopes: string[];
}

export interface SessionRow {
  id: string;
  userId: string;
  name: string;
  role: StaffRole | null;
  memberId: string | null;
}

export interface DeviceRow {
  id: string;
  name: string;
  display: DisplayKind;
  locationId: string;
}

export interface Credentials {
  token(hash: Uint8Array): Promise<TokenRow | null>;
  session(hash: Uint8Array): Promise<SessionRow | null>;
  device(hash: Uint8Array): Promise<DeviceRow | null>;
}

const TOKENS = statement(`
  SELECT hash, id, name, scopes FROM api_tokens
  WHERE hash = ANY($1::bytea[]) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`);

const SESSIONS = statement(`
  SELECT s.token_hash AS hash, s.id, u.id AS "userId", u.name, u.role, u.member_id AS "memberId"
  FROM sessions s JOIN users u ON u.id = s.user_id LEFT JOIN members m ON m.id = u.member_id
  WHERE s.token_hash = ANY($1::bytea[]) AND s.expires_at > $2 AND u.disabled_at IS NULL
    AND (m.id IS NULL OR m.status <> 'former')`);

// A token that was rotated holds until its time is over.
const DEVICES = statement(`
  SELECT token_hash AS hash, id, name, kind::text AS display, location_id AS "locationId" FROM displays
  WHERE token_hash = ANY($1::bytea[]) AND revoked_at IS NULL
  UNION ALL
  SELECT previous_token_hash, id, name, kind::text, location_id FROM displays
  WHERE previous_token_hash = ANY($1::bytea[]) AND revoked_at IS NULL AND previous_token_until > $2::timestamptz`);

export function credentialsIn(sql: Sql, now: () => Date): Credentials {
  const lookup = <Row>(query: Statement) => {
    const loader = new DataLoader<Uint8Array, Row | null>(
      async (hashes) => {
        const rows = await sql<Row & { hash: Uint8Array }>(query, [hashes, now()]);
        const byHash = new Map(rows.map((row) => [keyOf(row.hash), row]));
        return hashes.map((hash) => byHash.get(keyOf(hash)) ?? null);
      },
      { cache: false, batchScheduleFn: setImmediate },
    );
    return (hash: Uint8Array) => loader.load(hash);
  };
  return {
    token: lookup<TokenRow>(TOKENS),
    session: lookup<SessionRow>(SESSIONS),
    device: lookup<DeviceRow>(DEVICES),
  };
}

const keyOf = (hash: Uint8Array) =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
