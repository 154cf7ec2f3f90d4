import { encrypt } from '../core/encryption.ts';
import { DAY_MS } from '../core/time/time-zone.ts';
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
  /** Reserves the key for this request at one address, if the key itself belongs to the request wherever it comes from. */
  reservation?: KeyReservation;
}

/** Rejects another request with the same key from the same address. It has no response. */
interface KeyReservation {
  caller: string;
  key: string;
  requestHash: Uint8Array<ArrayBuffer>;
}

export interface StoredResponse {
  status: number;
  body: string;
}

/**
 * A write with an idempotency key that shares a transaction with others. That transaction claims the key and stores the
 * response.
 */
export interface KeyedWrite {
  request: StoredRequest;
  /** Converts what the service returns to the response to store. */
  toResponse(result: unknown): StoredResponse;
}

/** Another request has claimed the key, so its response must be returned. */
export class KeyAlreadyClaimed extends Error {}

const RESERVED_STATUS = -1;
const RETENTION_MS = DAY_MS;

/** Keys that were claimed at this time or before have expired. */
export const getKeyExpiryCutoff = (now: Date) => new Date(now.getTime() - RETENTION_MS);

// Keys are claimed in one order, so that two transactions cannot deadlock. Waits while another transaction holds one. The same
// request can reserve its key again, for no longer.
const CLAIM = prepareStatement(`
  INSERT INTO idempotency_keys AS k (caller, key, request_hash, status, created_at)
  SELECT r.caller, r.key, decode(r.hash, 'hex'), r.status, $2::timestamptz
  FROM jsonb_to_recordset($1::jsonb) AS r(caller text, key text, hash text, status int)
  ORDER BY r.caller, r.key
  ON CONFLICT (caller, key) DO UPDATE
    SET request_hash = EXCLUDED.request_hash, status = EXCLUDED.status, body = NULL,
      created_at = CASE WHEN k.created_at <= $3::timestamptz THEN EXCLUDED.created_at ELSE k.created_at END
    WHERE k.created_at <= $3::timestamptz OR (k.status = ${RESERVED_STATUS}
      AND EXCLUDED.status = ${RESERVED_STATUS} AND k.request_hash = EXCLUDED.request_hash)
  RETURNING caller, key`);

/**
 * Claims the keys that are free or expired, and returns for each request whether it did. Call it in a transaction. No two
 * requests can have the same key or reservation: see `listKeyIds`.
 */
export async function claimKeys(
  sql: Sql,
  requests: StoredRequest[],
  now: Date,
): Promise<boolean[]> {
  const toRow = ({ caller, key, requestHash }: KeyReservation, status: number | null) => ({
    caller,
    key,
    hash: Buffer.from(requestHash).toString('hex'),
    status,
  });
  const rows = requests.flatMap((request) => [
    toRow(request, null),
    ...(request.reservation ? [toRow(request.reservation, RESERVED_STATUS)] : []),
  ]);
  // Passed as text: a Date would lose its offset, and the session's zone can differ.
  const claimed = await sql<{ caller: string; key: string }>(CLAIM, [
    JSON.stringify(rows),
    now.toISOString(),
    getKeyExpiryCutoff(now).toISOString(),
  ]);
  const ids = new Set(claimed.map(toKeyId));
  const isFree = (request: StoredRequest) => listKeyIds(request).every((id) => ids.has(id));
  // Another request has reserved the key at this address, so the request must not keep what it has claimed.
  const rejected = requests.filter((request) => ids.has(toKeyId(request)) && !isFree(request));
  if (rejected.length > 0) await deleteKeys(sql, rejected);
  return requests.map(isFree);
}

/** Identifies the key of a request among those of all callers, and its reservation. */
const listKeyIds = (request: StoredRequest): string[] =>
  [request, ...(request.reservation ? [request.reservation] : [])].map(toKeyId);

const toKeyId = ({ caller, key }: Pick<StoredRequest, 'caller' | 'key'>) =>
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

/** Releases keys and reservations that the same transaction has claimed. */
export const releaseKeys = (sql: Sql, requests: StoredRequest[]): Promise<void> =>
  deleteKeys(
    sql,
    requests.flatMap((request) => [request, ...(request.reservation ? [request.reservation] : [])]),
  );

async function deleteKeys(sql: Sql, keys: Pick<StoredRequest, 'caller' | 'key'>[]): Promise<void> {
  await sql(RELEASE, [JSON.stringify(keys.map(({ caller, key }) => ({ caller, key })))]);
}

interface SharedWrite {
  /** Absent if the write has no idempotency key. */
  keyedWrite: KeyedWrite | undefined;
}

/**
 * Divides writes into groups, each of which has every key at most once: the second request with a key has to wait for the first
 * one.
 */
export function separateSameKeys<Write extends SharedWrite>(writes: Write[]): Write[][] {
  const groups: { writes: Write[]; ids: Set<string> }[] = [];
  for (const write of writes) {
    const ids = write.keyedWrite === undefined ? [] : listKeyIds(write.keyedWrite.request);
    let group = groups.find((group) => !ids.some((id) => group.ids.has(id)));
    if (group === undefined) {
      group = { writes: [], ids: new Set() };
      groups.push(group);
    }
    group.writes.push(write);
    for (const id of ids) group.ids.add(id);
  }
  return groups.map(({ writes }) => writes);
}

/**
 * Claims the keys of one group of writes for their shared transaction. Returns the writes to do: those whose key was free, and those
 * without one.
 */
export async function claimSharedKeys<Write extends SharedWrite>(
  sql: Sql,
  writes: Write[],
  now: Date,
): Promise<Write[]> {
  const keyed = writes.flatMap(({ keyedWrite }) => keyedWrite ?? []);
  if (keyed.length === 0) return writes;
  const requests = keyed.map(({ request }) => request);
  const claims = await claimKeys(sql, requests, now);
  const taken = new Set<KeyedWrite | undefined>(keyed.filter((_, n) => !claims[n]));
  return writes.filter(({ keyedWrite }) => !taken.has(keyedWrite));
}

/** Stores the responses of writes with claimed keys. Releases the keys of those without a result. Call it before the commit. */
export async function storeSharedResponses(
  sql: Sql,
  writes: { keyedWrite: KeyedWrite; result: unknown }[],
): Promise<void> {
  const rejected = writes.filter(({ result }) => result === undefined);
  const answered = writes.filter(({ result }) => result !== undefined);
  const sent: Promise<void>[] = [];
  if (rejected.length > 0)
    sent.push(
      releaseKeys(
        sql,
        rejected.map(({ keyedWrite }) => keyedWrite.request),
      ),
    );
  if (answered.length > 0)
    sent.push(
      saveResponses(
        sql,
        answered.map(({ keyedWrite: { request, toResponse }, result }) => ({
          request,
          response: toResponse(result),
        })),
      ),
    );
  await Promise.all(sent);
}
