import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { RateLimits } from '../auth/rate-limits.ts';
import type { Viewer } from '../auth/viewer.ts';
import { type Context, runInTransaction } from '../context.ts';
import { DomainError, type ErrorCode, type ErrorDetails, RetryableConflict } from '../errors.ts';
import { decrypt, encrypt } from './encryption.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import { DAY_MS } from './time/time-zone.ts';

/** A write that its caller has named, so that it can be sent again without being done again. */
interface KeyedRequest {
  /** `callerOf`. */
  caller: string;
  key: string;
  /** Which one it is, where one key names several writes. */
  part?: string;
  /** All that was asked, as JSON can say it. */
  request: unknown[];
}

/**
 * What is kept of it. Answers may hold secrets, so they are sealed by what only the caller can say again, their key and
 * their request: the table alone tells neither, nor what was answered.
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
const ERROR_STATUS = 0; // in place of a status: the body is a refusal, in no door's words
const REPLAYED_ERROR_CODES: readonly ErrorCode[] = ['VALIDATION', 'CONFLICT', 'NOT_FOUND'];

/** Each is a transaction from its claim to its answer: so many keep the database busy, the rest wait without a connection. */
const runQueued = createKeyedQueue(4);

/**
 * Does the work once for a caller and a key within 24 hours and answers every time as the first time, also where the
 * service refused. A refusal of an anonymous caller is not stored, since strangers could fill the table with them: the
 * same request is evaluated again. The key stands or falls with the work's effect; a second request meanwhile waits for the first.
 * `work` must use the ctx it is given. Throws what it throws, and VALIDATION when the key named another request.
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
    // Who is told to try again may do so with the same key.
    if (error instanceof RetryableConflict) throw error;
    if (!(error instanceof DomainError) || !REPLAYED_ERROR_CODES.includes(error.code)) throw error;
    if (ctx.viewer.kind === 'anonymous') throw error;
    if (await saveError(ctx, request, error)) throw error;
  }
  return replay(ctx, request);
}

/** The first word of each keeps the three apart: none can be told from another. */
function toStoredRequest({ caller, key, part = '', request }: KeyedRequest): StoredRequest {
  return {
    caller,
    key: Buffer.from(hashJson('key', caller, key, part)).toString('base64url'),
    requestHash: hashJson('request', caller, key, part, request),
    encryptionSecret: toCanonicalJson('answer', caller, key, part, request),
  };
}

/** Whether the key was free or forgotten, and is taken now. Waits while another transaction holds it. */
async function claimKey({ db, now }: Context, { caller, key, requestHash }: StoredRequest) {
  const at = now();
  // As texts: a Date would lose its offset on the way, and sessions may have a zone of their own.
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

/** By now all that the work did is undone, its claim too: somebody else may have been quicker with the same key. */
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
  if (status === null || row.body === null) throw new Error('a key is kept without its answer');
  const body = decrypt(encryptionSecret, row.body);
  if (status !== ERROR_STATUS) return { status, body };
  const refusal = JSON.parse(body) as { code: ErrorCode; message: string; details: ErrorDetails };
  throw new DomainError(refusal.code, refusal.message, refusal.details);
}

/** Timed work: takes away the keys that count no longer and says how many they were. */
export async function purgeIdempotencyKeys({ db, now }: Context): Promise<number> {
  const { count } = await db.idempotencyKey.deleteMany({
    where: { createdAt: { lte: getPurgeCutoff(now()) } },
  });
  return count;
}

const getPurgeCutoff = (now: Date) => new Date(now.getTime() - IDEMPOTENCY_RETENTION_MS);

/** Of those without a name each address counts as one: strangers may choose the same key. */
export function toCallerKey(viewer: Viewer, address: string): string {
  if ('id' in viewer) return `${viewer.kind}:${viewer.id}`;
  return viewer.kind === 'anonymous' ? `anonymous:${address}` : viewer.kind;
}

/** Whatever else limits a write, a stranger's keys are few: each that succeeds stores a row. Throws RATE_LIMITED. */
export async function limitKeyedWrites(
  { rateLimits }: { rateLimits: RateLimits },
  viewer: Viewer,
  key: string | undefined,
  address: string,
): Promise<void> {
  if (key !== undefined && viewer.kind === 'anonymous')
    await rateLimits.keyedWrites.consume({ address });
}

/** The header of either door. Throws BAD_REQUEST. */
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

/** SHA-256 of values as JSON, whatever the order in which their fields were written. */
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
