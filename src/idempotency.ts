import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { RateLimits } from './auth/rate-limits.ts';
import type { Viewer } from './auth/viewer.ts';
import { type Ctx, inTransaction } from './context.ts';
import { type Code, type Details, DomainError, Overtaken } from './errors.ts';
import { seal, unseal } from './sealing.ts';
import { DAY_MS } from './time.ts';
import { turns } from './turns.ts';

/** A write that its caller has named, so that it can be sent again without being done again. */
interface NamedRequest {
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
interface Kept {
  caller: string;
  key: string;
  requestHash: Uint8Array<ArrayBuffer>;
  sealedBy: string;
}

export interface Answered {
  status: number;
  body: string;
}

const LONGEST_KEY = 255;
const KEPT_MS = DAY_MS;
const REFUSED = 0; // in place of a status: the body is a refusal, in no door's words
const KEPT_REFUSALS: readonly Code[] = ['VALIDATION', 'CONFLICT', 'NOT_FOUND'];

/** Each is a transaction from its claim to its answer: so many keep the database busy, the rest wait without a connection. */
const inTurn = turns(4);

/**
 * Does the work once for a caller and a key within 24 hours and answers every time as the first time, also where the
 * service refused. A refusal of an anonymous caller is not stored, since strangers could fill the table with them: the
 * same request is evaluated again. The key stands or falls with the work's effect; a second request meanwhile waits for the first.
 * `work` must use the ctx it is given. Throws what it throws, and VALIDATION when the key named another request.
 */
export async function once(
  ctx: Ctx,
  named: NamedRequest,
  work: (ctx: Ctx) => Promise<Answered>,
): Promise<Answered> {
  const request = kept(named);
  const claimed = async (ctx: Ctx) => {
    if (!(await claim(ctx, request))) return null;
    const answer = await work(ctx);
    await keep(ctx, request, answer);
    return answer;
  };
  try {
    const answer = await inTurn('once', () => inTransaction(ctx, claimed));
    if (answer !== null) return answer;
  } catch (error) {
    // Who is told to try again may do so with the same key.
    if (error instanceof Overtaken) throw error;
    if (!(error instanceof DomainError) || !KEPT_REFUSALS.includes(error.code)) throw error;
    if (ctx.viewer.kind === 'anonymous') throw error;
    if (await keepRefusal(ctx, request, error)) throw error;
  }
  return again(ctx, request);
}

/** The first word of each keeps the three apart: none can be told from another. */
function kept({ caller, key, part = '', request }: NamedRequest): Kept {
  return {
    caller,
    key: Buffer.from(hashOf('key', caller, key, part)).toString('base64url'),
    requestHash: hashOf('request', caller, key, part, request),
    sealedBy: canonical('answer', caller, key, part, request),
  };
}

/** Whether the key was free or forgotten, and is taken now. Waits while another transaction holds it. */
async function claim({ db, now }: Ctx, { caller, key, requestHash }: Kept) {
  const at = now();
  // As texts: a Date would lose its offset on the way, and sessions may have a zone of their own.
  const [since, until] = [at.toISOString(), forgottenBefore(at).toISOString()];
  const claimed = await db.$queryRaw<unknown[]>`
    INSERT INTO idempotency_keys (caller, key, request_hash, created_at)
    VALUES (${caller}, ${key}, ${requestHash}, ${since}::timestamptz)
    ON CONFLICT (caller, key) DO UPDATE
      SET request_hash = EXCLUDED.request_hash, status = NULL, body = NULL, created_at = EXCLUDED.created_at
      WHERE idempotency_keys.created_at <= ${until}::timestamptz
    RETURNING 1`;
  return claimed.length > 0;
}

const keep = ({ db }: Ctx, { caller, key, sealedBy }: Kept, { status, body }: Answered) =>
  db.idempotencyKey.update({
    where: { caller_key: { caller, key } },
    data: { status, body: seal(sealedBy, body) },
  });

/** By now all that the work did is undone, its claim too: somebody else may have been quicker with the same key. */
const keepRefusal = (ctx: Ctx, request: Kept, { code, message, details }: DomainError) =>
  inTransaction(ctx, async (ctx) => {
    if (!(await claim(ctx, request))) return false;
    const body = JSON.stringify({ code, message, details });
    await keep(ctx, request, { status: REFUSED, body });
    return true;
  });

async function again({ db }: Ctx, { caller, key, requestHash, sealedBy }: Kept): Promise<Answered> {
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
  const body = unseal(sealedBy, row.body);
  if (status !== REFUSED) return { status, body };
  const refusal = JSON.parse(body) as { code: Code; message: string; details: Details };
  throw new DomainError(refusal.code, refusal.message, refusal.details);
}

/** Timed work: takes away the keys that count no longer and says how many they were. */
export async function forgetOldKeys({ db, now }: Ctx): Promise<number> {
  const { count } = await db.idempotencyKey.deleteMany({
    where: { createdAt: { lte: forgottenBefore(now()) } },
  });
  return count;
}

const forgottenBefore = (now: Date) => new Date(now.getTime() - KEPT_MS);

/** Of those without a name each address counts as one: strangers may choose the same key. */
export function callerOf(viewer: Viewer, address: string): string {
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
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length >= 1 && key.length <= LONGEST_KEY) return key;
  throw new DomainError('BAD_REQUEST', `Idempotency-Key: from 1 to ${LONGEST_KEY} characters.`, {
    reason: 'INVALID_INPUT',
  });
}

/** SHA-256 of values as JSON, whatever the order in which their fields were written. */
export const hashOf = (...values: unknown[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    createHash('sha256')
      .update(canonical(...values))
      .digest(),
  );

const canonical = (...values: unknown[]) => JSON.stringify(values, sorted);

const sorted = (_: string, value: unknown) =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
