import { type Context, runInTransaction } from '../context.ts';
import { decrypt, hashJson, toCanonicalJson } from '../core/encryption.ts';
import {
  DomainError,
  type ErrorCode,
  type ErrorDetails,
  overloaded,
  RetryableConflict,
} from '../errors.ts';
import { isLockTimeout } from './constraint-errors.ts';
import {
  claimKeys,
  getKeyExpiryCutoff,
  KeyAlreadyClaimed,
  type KeyedWrite,
  releaseKeys,
  type StoredRequest,
  type StoredResponse,
  saveResponses,
} from './keyed-write.ts';
import { prepareStatement } from './prepared-statement.ts';

/** A write with an idempotency key: a repeated request does not repeat the write. */
interface KeyedRequest {
  /** Identifies the caller, by `toCallerKey`. */
  caller: string;
  key: string;
  /** Distinguishes several writes with one key, such as the mutations of one document. */
  part?: string;
  /** The whole request, as JSON values. */
  request: unknown[];
}

const MAX_IDEMPOTENCY_KEY_LENGTH = 255;
/**
 * An anonymous request with a key of this length keeps it at another address. The response can contain the secret of an order, so
 * shorter keys, which are easier to guess, belong to the address.
 */
const MIN_ROAMING_KEY_LENGTH = 16;
const ERROR_STATUS = 0; // stands for a DomainError in the body, which has no HTTP status yet
const REPLAYED_ERROR_CODES: readonly ErrorCode[] = ['VALIDATION', 'CONFLICT', 'NOT_FOUND'];

/**
 * Runs the work once per caller and key within 24 hours and returns the response to its result every time, errors included.
 * Errors of anonymous callers are not stored, since strangers could fill the table with them, so their request runs again. The
 * key is committed together with the effects of the work, and a concurrent request with the same key waits. `work` must use the
 * context that it receives.
 * @throws the errors of `work`, and VALIDATION if the key belongs to another request.
 */
export async function withIdempotency<Result>(
  ctx: Context,
  keyed: KeyedRequest,
  work: (ctx: Context) => Promise<Result>,
  toResponse: (result: Result) => StoredResponse,
): Promise<StoredResponse> {
  const request = toStoredRequest(ctx, keyed);
  const runClaimed = async (ctx: Context) => {
    if (!(await claimKey(ctx, request))) return null;
    const response = toResponse(await work(ctx));
    await saveResponses(ctx.lockingSql, [{ request, response }]);
    return response;
  };
  try {
    const response = await runInTurn(ctx, keyed.caller, runClaimed);
    if (response !== null) return response;
  } catch (error) {
    // The caller can retry with the same key.
    if (error instanceof RetryableConflict) throw error;
    if (!(error instanceof DomainError) || !isReplayed(ctx, error)) throw error;
    if (await saveError(ctx, request, error)) throw error;
  }
  return replay(ctx, request);
}

const MAX_LOCK_WAIT_MS = 1_000;
const MAX_TOTAL_WAIT_MS = 30_000;
const LIMIT_LOCK_WAIT = prepareStatement(
  `SELECT set_config('lock_timeout', '${MAX_LOCK_WAIT_MS}ms', true)`,
);

/**
 * Runs the work in a transaction when it is the turn of the caller. Work that waits for a lock gives up its place and its
 * connection after a second and starts again later, so that others can write meanwhile.
 */
async function runInTurn<T>(
  ctx: Context,
  caller: string,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + MAX_TOTAL_WAIT_MS;
  const runWithLimit = (ctx: Context) => ctx.lockingSql(LIMIT_LOCK_WAIT, []).then(() => work(ctx));
  for (let attempt = 0; ; attempt += 1) {
    try {
      const run = () => runInTransaction(ctx, runWithLimit);
      return await ctx.queues.keyedWrites(caller, run, {
        attempt,
        getSignal: ctx.getDisconnectSignal,
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (performance.now() > deadline) throw overloaded(error);
    }
  }
}

/**
 * Does the same for work that shares a transaction with others: it claims the key and stores the response itself, as
 * `ctx.keyedWrite` says. The work must have no other effects.
 * @throws as `withIdempotency`.
 */
export async function withSharedIdempotency<Result>(
  ctx: Context,
  keyed: KeyedRequest,
  work: (ctx: Context) => Promise<Result>,
  toResponse: (result: Result) => StoredResponse,
): Promise<StoredResponse> {
  const request = toStoredRequest(ctx, keyed);
  let response: StoredResponse | undefined;
  const keyedWrite: KeyedWrite = {
    request,
    toResponse: (result) => {
      response = toResponse(result as Result);
      return response;
    },
  };
  try {
    await work({ ...ctx, keyedWrite });
  } catch (error) {
    if (error instanceof KeyAlreadyClaimed) return replay(ctx, request);
    if (!(error instanceof DomainError) || error instanceof RetryableConflict) throw error;
    // The key can belong to an earlier request, whose response counts.
    const isFree = isReplayed(ctx, error)
      ? await saveError(ctx, request, error)
      : await isKeyFree(ctx, request);
    if (isFree) throw error;
    return replay(ctx, request);
  }
  if (response === undefined) throw new Error('the work has not stored its response');
  return response;
}

const isReplayed = ({ viewer }: Context, { code }: DomainError) =>
  REPLAYED_ERROR_CODES.includes(code) && viewer.kind !== 'anonymous';

/**
 * Returns how a request is stored. An anonymous one with a long key belongs to the key and the request, so that a phone that changes
 * its network gets its response; at one address, the key is still reserved for one request.
 */
function toStoredRequest({ viewer }: Context, keyed: KeyedRequest): StoredRequest {
  if (viewer.kind !== 'anonymous' || keyed.key.length < MIN_ROAMING_KEY_LENGTH)
    return hashRequest(keyed, []);
  const { encryptionSecret: _, ...reservation } = hashRequest(keyed, []);
  return { ...hashRequest({ ...keyed, caller: viewer.kind }, [keyed.request]), reservation };
}

/**
 * Each hash begins with a different text, so that none can be derived from another. `identity` is what identifies the row besides
 * the caller and the key.
 */
function hashRequest(
  { caller, key, part = '', request }: KeyedRequest,
  identity: unknown[],
): StoredRequest {
  return {
    caller,
    key: Buffer.from(hashJson('key', caller, key, part, ...identity)).toString('base64url'),
    requestHash: hashJson('request', caller, key, part, request),
    encryptionSecret: toCanonicalJson('answer', caller, key, part, request),
  };
}

/** Claims the key in the current transaction. Returns whether it was free or expired. */
async function claimKey(ctx: Context, request: StoredRequest): Promise<boolean> {
  const [claimed = false] = await claimKeys(ctx.lockingSql, [request], ctx.now());
  return claimed;
}

/** Stores an error unless another request has claimed the key since: the rollback of the work released it. */
const saveError = (ctx: Context, request: StoredRequest, { code, message, details }: DomainError) =>
  runInTransaction(ctx, async (ctx) => {
    if (!(await claimKey(ctx, request))) return false;
    const body = JSON.stringify({ code, message, details });
    await saveResponses(ctx.lockingSql, [{ request, response: { status: ERROR_STATUS, body } }]);
    return true;
  });

/** Whether no other request has claimed the key. Waits while another transaction holds it. */
const isKeyFree = (ctx: Context, request: StoredRequest) =>
  runInTransaction(ctx, async (ctx) => {
    if (!(await claimKey(ctx, request))) return false;
    await releaseKeys(ctx.lockingSql, [request]);
    return true;
  });

async function replay(
  { db }: Context,
  { caller, key, requestHash, encryptionSecret, reservation }: StoredRequest,
): Promise<StoredResponse> {
  if (reservation) {
    const { caller, key } = reservation;
    const reserved = await db.idempotencyKey.findUnique({ where: { caller_key: { caller, key } } });
    if (reserved && !isSameHash(reservation.requestHash, reserved.requestHash)) throw keyReused();
  }
  const row = await db.idempotencyKey.findUnique({ where: { caller_key: { caller, key } } });
  if (row === null || !isSameHash(requestHash, row.requestHash)) throw keyReused();
  const { status } = row;
  if (status === null || row.body === null)
    throw new Error('an idempotency key has no stored response');
  const body = decrypt(encryptionSecret, row.body);
  if (status !== ERROR_STATUS) return { status, body };
  const error = JSON.parse(body) as { code: ErrorCode; message: string; details: ErrorDetails };
  throw new DomainError(error.code, error.message, error.details);
}

const isSameHash = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

const keyReused = () =>
  new DomainError(
    'VALIDATION',
    'This idempotency key was used for another request. Choose a new key for a new request.',
    { reason: 'IDEMPOTENCY_KEY_REUSED' },
  );

/** Job: deletes expired keys and returns how many. */
export async function purgeIdempotencyKeys({ db, now }: Context): Promise<number> {
  const { count } = await db.idempotencyKey.deleteMany({
    where: { createdAt: { lte: getKeyExpiryCutoff(now()) } },
  });
  return count;
}

/** Reads the Idempotency-Key header. @throws BAD_REQUEST if it is empty or too long. */
export function parseIdempotencyKey(
  headers: Record<string, string | string[] | undefined>,
): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length >= 1 && key.length <= MAX_IDEMPOTENCY_KEY_LENGTH)
    return key;
  throw new DomainError(
    'BAD_REQUEST',
    `Idempotency-Key must have 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters.`,
    { reason: 'INVALID_INPUT' },
  );
}
