import { createHash } from 'node:crypto';
import { redact } from './auth/secrets.ts';
import type { Viewer } from './auth/viewer.ts';
import { type Ctx, inTransaction } from './context.ts';
import { type Code, type Details, DomainError } from './errors.ts';
import { DAY_MS } from './time.ts';

/** A write that its caller has named, so that it can be sent again without being done again. */
interface NamedRequest {
  caller: string;
  key: string;
  /** Of all that was asked: `hashOf`. */
  requestHash: Uint8Array<ArrayBuffer>;
}

export interface Answered {
  status: number;
  body: string;
}

interface Kept extends Answered {
  requestHash: Uint8Array;
}

const KEPT_MS = DAY_MS;
const REFUSED = 0; // in place of a status: the body is a refusal, in no door's words
const KEPT_REFUSALS: readonly Code[] = ['VALIDATION', 'CONFLICT', 'NOT_FOUND'];

/**
 * Does the work once for a caller and a key within 24 hours and answers every time as the first time, also where the
 * service refused. The key stands or falls with the work's effect; a second request meanwhile waits for the first.
 * `work` must use the ctx it is given. Throws what it throws, and VALIDATION when the key named another request.
 */
export async function once(
  ctx: Ctx,
  request: NamedRequest,
  work: (ctx: Ctx) => Promise<Answered>,
): Promise<Answered> {
  try {
    const answer = await inTransaction(ctx, async (ctx) => {
      if (!(await claim(ctx, request))) return null;
      const answer = await work(ctx);
      await keep(ctx, request, answer);
      return answer;
    });
    if (answer !== null) return answer;
  } catch (error) {
    if (!(error instanceof DomainError) || !KEPT_REFUSALS.includes(error.code)) throw error;
    if (await keepRefusal(ctx, request, error)) throw error;
  }
  return again(request, await find(ctx, request));
}

/** Whether the key was free or forgotten, and is taken now. Waits while another transaction holds it. */
async function claim({ db, now }: Ctx, { caller, key, requestHash }: NamedRequest) {
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

const keep = ({ db }: Ctx, { caller, key }: NamedRequest, { status, body }: Answered) =>
  db.idempotencyKey.update({ where: { caller_key: { caller, key } }, data: { status, body } });

/** By now all that the work did is undone, its claim too: somebody else may have been quicker with the same key. */
const keepRefusal = (ctx: Ctx, request: NamedRequest, { code, message, details }: DomainError) =>
  inTransaction(ctx, async (ctx) => {
    if (!(await claim(ctx, request))) return false;
    const body = redact(JSON.stringify({ code, message, details }));
    await keep(ctx, request, { status: REFUSED, body });
    return true;
  });

async function find({ db }: Ctx, { caller, key }: NamedRequest): Promise<Kept> {
  const { requestHash, status, body } = await db.idempotencyKey.findUniqueOrThrow({
    where: { caller_key: { caller, key } },
  });
  if (status === null || body === null) throw new Error('a key is kept without its answer');
  return { requestHash, status, body };
}

function again({ requestHash }: NamedRequest, kept: Kept): Answered {
  if (Buffer.compare(requestHash, kept.requestHash) !== 0) {
    throw new DomainError(
      'VALIDATION',
      'This idempotency key was used for another request. Choose a new key for a new request.',
      { reason: 'IDEMPOTENCY_KEY_REUSED' },
    );
  }
  const { status, body } = kept;
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

export const callerOf = (viewer: Viewer) =>
  'id' in viewer ? `${viewer.kind}:${viewer.id}` : viewer.kind;

/** SHA-256 of values as JSON, whatever the order in which their fields were written. */
export const hashOf = (...values: unknown[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(createHash('sha256').update(JSON.stringify(values, sorted)).digest());

const sorted = (_: string, value: unknown) =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
