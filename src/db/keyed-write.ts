import { encrypt } from '../core/encryption.ts';
import { prepareStatement, type Sql } from './prepared-statement.ts';

/**
 * A keyed request as it is stored. Responses can contain secrets, so they are encrypted with the key and the request. The
 * table contains only hashes of these two.
 */
export interface StoredRequest {
  caller: string;
  key: string;
  requestHash: Uint8Array<ArrayBuffer>;
  encryptionSecret: string;
}

export interface StoredResponse {
  status: number;
  body: string;
}

/**
 * A write with an idempotency key that shares a transaction with others. That transaction claims the key, receives the
 * response while it is open, stores it, and reports its end.
 */
export interface KeyedWrite {
  request: StoredRequest;
  /** What the write returns to the caller. Rejects if the write fails after the shared transaction has done its part. */
  response: Promise<StoredResponse>;
  /** Records whether this attempt has claimed the key: it was free. */
  setClaimed(claimed: boolean): void;
  /** Reports that the response is stored and committed, or why it is not. */
  end(error?: unknown): void;
}

/** Another request has claimed the key, so its response must be returned. */
export class KeyAlreadyClaimed extends Error {}

// Keys are claimed in one order, so that two transactions cannot deadlock. Waits while another transaction holds one.
const CLAIM = prepareStatement(`
  INSERT INTO idempotency_keys AS k (caller, key, request_hash, created_at)
  SELECT r.caller, r.key, decode(r.hash, 'hex'), $2::timestamptz
  FROM jsonb_to_recordset($1::jsonb) AS r(caller text, key text, hash text)
  ORDER BY r.caller, r.key
  ON CONFLICT (caller, key) DO UPDATE
    SET request_hash = EXCLUDED.request_hash, status = NULL, body = NULL, created_at = EXCLUDED.created_at
    WHERE k.created_at <= $3::timestamptz
  RETURNING caller, key`);

/**
 * Claims the keys that are free or expired, and returns for each request whether it did. Call it in a transaction. No two
 * requests can have the same key.
 */
export async function claimKeys(
  sql: Sql,
  requests: StoredRequest[],
  { now, expiresBefore }: { now: Date; expiresBefore: Date },
): Promise<boolean[]> {
  const rows = requests.map(({ caller, key, requestHash }) => ({
    caller,
    key,
    hash: Buffer.from(requestHash).toString('hex'),
  }));
  // Passed as text: a Date would lose its offset, and the session's zone can differ.
  const claimed = await sql<{ caller: string; key: string }>(CLAIM, [
    JSON.stringify(rows),
    now.toISOString(),
    expiresBefore.toISOString(),
  ]);
  const ids = new Set(claimed.map(toKeyId));
  return requests.map((request) => ids.has(toKeyId(request)));
}

/** Identifies a key among those of all callers. */
export const toKeyId = ({ caller, key }: Pick<StoredRequest, 'caller' | 'key'>) =>
  JSON.stringify([caller, key]);

const SAVE = prepareStatement(`
  UPDATE idempotency_keys k SET status = r.status, body = r.body
  FROM jsonb_to_recordset($1::jsonb) AS r(caller text, key text, status int, body text)
  WHERE k.caller = r.caller AND k.key = r.key`);

/** Stores the responses of claimed keys, encrypted. */
export async function saveResponses(
  sql: Sql,
  answered: { request: StoredRequest; response: StoredResponse }[],
): Promise<void> {
  const rows = answered.map(({ request, response }) => ({
    caller: request.caller,
    key: request.key,
    status: response.status,
    body: encrypt(request.encryptionSecret, response.body),
  }));
  await sql(SAVE, [JSON.stringify(rows)]);
}

const RELEASE = prepareStatement(`
  DELETE FROM idempotency_keys k USING jsonb_to_recordset($1::jsonb) AS r(caller text, key text)
  WHERE k.caller = r.caller AND k.key = r.key`);

/** Releases keys that the same transaction has claimed. */
export async function releaseKeys(sql: Sql, requests: StoredRequest[]): Promise<void> {
  await sql(RELEASE, [JSON.stringify(requests.map(({ caller, key }) => ({ caller, key })))]);
}
