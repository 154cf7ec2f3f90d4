import { z } from 'zod';
import { can } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { hashJson } from '../../core/idempotency.ts';
import { DAY_MS, MINUTE_MS } from '../../core/time/time-zone.ts';
import { personName, singleLine } from '../../core/validation.ts';
import { DomainError, missingScope } from '../../errors.ts';
import { normalizeCode } from './queries/resolve-code.ts';
import type { CheckInRequest, Credential } from './types.ts';

const WRITE_SCOPE = 'check-ins:write';
const MAX_CLOCK_SKEW_MS = 2 * MINUTE_MS;
const MAX_PUBLIC_AGE_DAYS = 1;
const MAX_STAFF_AGE_DAYS = 7;

/** Exactly one thing is presented. Throws VALIDATION. */
export function parseCredential(given: {
  code?: string | undefined;
  handle?: string | undefined;
  memberId?: string | undefined;
  bookingId?: string | undefined;
}): Credential {
  const { code, handle, memberId, bookingId } = given;
  const named = [
    ...(code === undefined ? [] : [{ code }]),
    ...(handle === undefined ? [] : [{ handle }]),
    ...(memberId === undefined ? [] : [{ memberId }]),
    ...(bookingId === undefined ? [] : [{ bookingId }]),
  ];
  const [presented, ...others] = named;
  if (presented !== undefined && others.length === 0) return presented;
  throw new DomainError(
    'VALIDATION',
    'Present exactly one thing: a code or a handle; staff may name a member or a booking instead.',
    { reason: 'PRESENT_ONE' },
  );
}

/** Whose it is matters for members who present themselves. Throws FORBIDDEN, and VALIDATION for visitors of nobody. */
export async function assertCanPresent(ctx: Context, request: CheckInRequest): Promise<void> {
  const { credential, visitor, readmit } = request;
  if (visitor && !('handle' in credential) && !('memberId' in credential)) {
    throw new DomainError(
      'VALIDATION',
      'visitor: say whom they came to see, by the handle that a lookup gave.',
      { reason: 'VISITOR_WITHOUT_HOST' },
    );
  }
  if (can(ctx.viewer, WRITE_SCOPE)) return;
  if (readmit || !(await isOwnCredential(ctx, credential))) throw missingScope(WRITE_SCOPE);
}

async function isOwnCredential({ db, viewer }: Context, presented: Credential): Promise<boolean> {
  if ('code' in presented || 'handle' in presented) return true;
  if (viewer.kind !== 'member') return false;
  if ('memberId' in presented) return presented.memberId.toLowerCase() === viewer.id;
  const own = { id: presented.bookingId, memberId: viewer.id };
  return (await db.booking.count({ where: own })) > 0;
}

/** When it happened: now, unless it is told later. Throws VALIDATION for the future and for what is too long ago. */
export function resolveOccurredAt({ viewer, now }: Context, { occurredAt }: CheckInRequest): Date {
  const present = now();
  if (occurredAt === undefined) return present;
  const ago = present.getTime() - occurredAt.getTime();
  if (ago < -MAX_CLOCK_SKEW_MS) {
    throw new DomainError(
      'VALIDATION',
      'What happened lies in the future. Set the clock of the device, or leave the time out.',
      { reason: 'IN_THE_FUTURE' },
    );
  }
  const days = can(viewer, WRITE_SCOPE) ? MAX_STAFF_AGE_DAYS : MAX_PUBLIC_AGE_DAYS;
  if (ago > days * DAY_MS) {
    throw new DomainError(
      'VALIDATION',
      `What happened is more than ${days === 1 ? '24 hours' : `${days} days`} ago, too long to be told now.${
        days === MAX_PUBLIC_AGE_DAYS
          ? ` Staff may tell of the last ${MAX_STAFF_AGE_DAYS} days.`
          : ''
      }`,
      { reason: 'TOO_LONG_AGO', days },
    );
  }
  return ago < 0 ? present : occurredAt;
}

/**
 * What a request means, however it is written. The time is not in it: what was sent, and went unanswered, is sent
 * again with the time at which it happened.
 */
export const hashCheckInRequest = ({ credential, visitor, leaving, readmit }: CheckInRequest) =>
  hashJson(
    'code' in credential ? { code: normalizeCode(credential.code) } : credential,
    visitor?.name ?? null,
    leaving ?? false,
    readmit ?? false,
  );

// What both doors take.

export const visitorSchema = z.object({ name: personName });
export const codeSchema = singleLine(100);
export const handleSchema = singleLine(100);
/** Blanks count: it is the client's word, and none of ours. */
export const scanIdSchema = z.string().min(1).max(100);
