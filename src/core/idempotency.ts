import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { RateLimits } from '../auth/rate-limits.ts';
import type { Viewer } from '../auth/viewer.ts';
import { type Context, runInTransaction } from '../context.ts';
import { DomainError, type ErrorCode, type ErrorDetails, RetryableConflict } from '../errors.ts';
import { decrypt, encrypt } from './encryption.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import { DAY_MS } from './time/time-zone.ts';

/** A write with an idempotency key, so that a repeated request does not repeat the work. */
interface KeyedRequest {
  /** From `toCallerKey`. */
  caller: string;
  key: string;
  /** Distinguishes the writes where one key covers several. */
  part?: string;
  /** The whole request, as values that JSON can represent. */
  request: unknown[];
}

/**
 * The stored form. Responses can contain secrets, so they are encrypted with the key and the request, which only the
 * caller knows: the table alone reveals none of the three.
 */
interface StoredRequest {
  caller: string;
  key: string;
  requestHash: Uint8Array<ArrayBuffer>;
  encryptionSecret: string;
}

export interface StoredResponse {
  status: number;
  body: string;
}

const MAX_IDEMPOTENCY_KEY_LENGTH = 255;
const IDEMPOTENCY_RETENTION_MS = DAY_MS;
const ERROR_STATUS = 0; // replaces the HTTP status: the body is a DomainError, in no API's format
const REPLAYED_ERROR_CODES: readonly ErrorCode[] = ['VALIDATION', 'CONFLICT', 'NOT_FOUND'];

/** Each write is one transaction. This many run at a time; the others wait without a connection. */
const runQueued = createKeyedQueue(4);

/**
 * Runs the work once per caller and key within 24 hours and returns the first response every time, rejections included.
 * Rejections of anonymous callers are not stored, since strangers could fill the table with them: the request is
 * evaluated again. The key is committed with the work's effect; a concurrent request with the same key waits.
 * `work` must use the context it receives.
 * @throws whatever `work` throws, and VALIDATION if the key belongs to another request.
 */
export async function withIdempotency(
  ctx: Context,
  named: KeyedRequest,
  work: (ctx: Context) => Promise<StoredResponse>,
): Promise<StoredResponse> {
  const request = toStoredRequest(named);
  const claimed = async (ctx: Context) => {
    if (!(await claimKey(ctx, request))) return null;
    const answer = await work(ctx);
    await saveResponse(ctx, request, answer);
    return answer;
  };
  try {
    const answer = await runQueued('once', () => runInTransaction(ctx, claimed));
    if (answer !== null) return answer;
  } catch (error) {
    // The caller can retry with the same key.
    if (error instanceof RetryableConflict) throw error;
    if (!(error instanceof DomainError) || !REPLAYED_ERROR_CODES.includes(error.code)) throw error;
    if (ctx.viewer.kind === 'anonymous') throw error;
    if (await saveError(ctx, request, error)) throw error;
  }
  return replay(ctx, request);
}

/** The first element keeps the three hashes apart, so that none can be derived from another. */
function toStoredRequest({ caller, key, part = '', request }: KeyedRequest): StoredRequest {
  return {
    caller,
    key: Buffer.from(hashJson('key', caller, key, part)).toString('base64url'),
    requestHash: hashJson('request', caller, key, part, request),
    encryptionSecret: toCanonicalJson('answer', caller, key, part, request),
  };
}

/** Claims the key and returns true if it was free or expired. Waits while another transaction holds it. */
async function claimKey({ db, now }: Context, { caller, key, requestHash }: StoredRequest) {
  const at = now();
  // Passed as text: a Date would lose its offset, and the session's zone can differ.
  const [since, until] = [at.toISOString(), getPurgeCutoff(at).toISOString()];
  const claimed = await db.$queryRaw<unknown[]>`
    INSERT INTO idempotency_keys (caller, key, request_hash, created_at)
    VALUES (${caller}, ${key}, ${requestHash}, ${since}::timestamptz)
    ON CONFLICT (caller, key) DO UPDATE
      SET request_hash = EXCLUDED.request_hash, status = NULL, body = NULL, created_at = EXCLUDED.created_at
      WHERE idempotency_keys.created_at <= ${until}::timestamptz
    RETURNING 1`;
  return claimed.length > 0;
}

const saveResponse = (
  { db }: Context,
  { caller, key, encryptionSecret }: StoredRequest,
  { status, body }: StoredResponse,
) =>
  db.idempotencyKey.update({
    where: { caller_key: { caller, key } },
    data: { status, body: encrypt(encryptionSecret, body) },
  });

/** The work's transaction is rolled back, its claim included, so another request can have claimed the key since. */
const saveError = (ctx: Context, request: StoredRequest, { code, message, details }: DomainError) =>
  runInTransaction(ctx, async (ctx) => {
    if (!(await claimKey(ctx, request))) return false;
    const body = JSON.stringify({ code, message, details });
    await saveResponse(ctx, request, { status: ERROR_STATUS, body });
    return true;
  });

async function replay(
  { db }: Context,
  { caller, key, requestHash, encryptionSecret }: StoredRequest,
): Promise<StoredResponse> {
  const row = await db.idempotencyKey.findUniqueOrThrow({ where: { caller_key: { caller, key } } });
  if (Buffer.compare(requestHash, row.requestHash) !== 0) {
    throw new DomainError(
      'VALIDATION',
      'This idempotency key was used for another request. Choose a new key for a new request.',
      { reason: 'IDEMPOTENCY_KEY_REUSED' },
    );
  }
  const { status } = row;
  if (status === null || row.body === null)
    throw new Error('an idempotency key has no stored response');
  const body = decrypt(encryptionSecret, row.body);
  if (status !== ERROR_STATUS) return { status, body };
  const refusal = JSON.parse(body) as { code: ErrorCode; message: string; details: ErrorDetails };
  throw new DomainError(refusal.code, refusal.message, refusal.details);
}

/** Deletes expired keys and returns how many. Called by a job. */
export async function purgeIdempotencyKeys({ db, now }: Context): Promise<number> {
  const { count } = await db.idempotencyKey.deleteMany({
    where: { createdAt: { lte: getPurgeCutoff(now()) } },
  });
  return count;
}

const getPurgeCutoff = (now: Date) => new Date(now.getTime() - IDEMPOTENCY_RETENTION_MS);

/** Anonymous callers are told apart by address, since strangers can choose the same key. */
export function toCallerKey(viewer: Viewer, address: string): string {
  if ('id' in viewer) return `${viewer.kind}:${viewer.id}`;
  return viewer.kind === 'anonymous' ? `anonymous:${address}` : viewer.kind;
}

/** Limits the keys of anonymous callers, since each success stores a row. Throws RATE_LIMITED. */
export async function limitKeyedWrites(
  { rateLimits }: { rateLimits: RateLimits },
  viewer: Viewer,
  key: string | undefined,
  address: string,
): Promise<void> {
  if (key !== undefined && viewer.kind === 'anonymous')
    await rateLimits.keyedWrites.consume({ address });
}

/** Reads the Idempotency-Key header. Throws BAD_REQUEST. */
export function parseIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length >= 1 && key.length <= MAX_IDEMPOTENCY_KEY_LENGTH)
    return key;
  throw new DomainError(
    'BAD_REQUEST',
    `Idempotency-Key: from 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters.`,
    {
      reason: 'INVALID_INPUT',
    },
  );
}

/** SHA-256 of values as JSON, independent of the order of their fields. */
export const hashJson = (...values: unknown[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    createHash('sha256')
      .update(toCanonicalJson(...values))
      .digest(),
  );

const toCanonicalJson = (...values: unknown[]) => JSON.stringify(values, sortFields);

const sortFields = (_: string, value: unknown) =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
