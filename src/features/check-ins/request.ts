import { can } from '../../auth/viewer.ts';
import type { Ctx } from '../../context.ts';
import { DomainError, missingScope } from '../../errors.ts';
import { hashOf } from '../../idempotency.ts';
import { DAY_MS, MINUTE_MS } from '../../time.ts';
import type { CheckInRequest, Presented } from './check-in.ts';
import { plain } from './codes.ts';

const WRITE = 'check-ins:write';
const SKEW_MS = 2 * MINUTE_MS;
const PUBLIC_DAYS = 1;
const STAFF_DAYS = 7;

/** Exactly one thing is presented. Throws VALIDATION. */
export function presentedIn(given: {
  code?: string | undefined;
  handle?: string | undefined;
  memberId?: string | undefined;
  bookingId?: string | undefined;
}): Presented {
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
export async function checkPower(ctx: Ctx, request: CheckInRequest): Promise<void> {
  const { presented, visitor, readmit } = request;
  if (visitor && !('handle' in presented) && !('memberId' in presented)) {
    throw new DomainError(
      'VALIDATION',
      'visitor: say whom they came to see, by the handle that a lookup gave.',
      { reason: 'VISITOR_WITHOUT_HOST' },
    );
  }
  if (can(ctx.viewer, WRITE)) return;
  if (readmit || !(await isTheirOwn(ctx, presented))) throw missingScope(WRITE);
}

async function isTheirOwn({ db, viewer }: Ctx, presented: Presented): Promise<boolean> {
  if ('code' in presented || 'handle' in presented) return true;
  if (viewer.kind !== 'member') return false;
  if ('memberId' in presented) return presented.memberId.toLowerCase() === viewer.id;
  const own = { id: presented.bookingId, memberId: viewer.id };
  return (await db.booking.count({ where: own })) > 0;
}

/** When it happened: now, unless it is told later. Throws VALIDATION for the future and for what is too long ago. */
export function instantOf({ viewer, now }: Ctx, { occurredAt }: CheckInRequest): Date {
  const present = now();
  if (occurredAt === undefined) return present;
  const ago = present.getTime() - occurredAt.getTime();
  if (ago < -SKEW_MS) {
    throw new DomainError(
      'VALIDATION',
      'What happened lies in the future. Set the clock of the device, or leave the time out.',
      { reason: 'IN_THE_FUTURE' },
    );
  }
  const days = can(viewer, WRITE) ? STAFF_DAYS : PUBLIC_DAYS;
  if (ago > days * DAY_MS) {
    throw new DomainError(
      'VALIDATION',
      `What happened is more than ${days === 1 ? '24 hours' : `${days} days`} ago, too long to be told now.${
        days === PUBLIC_DAYS ? ` Staff may tell of the last ${STAFF_DAYS} days.` : ''
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
export const meaningOf = ({ presented, visitor, leaving, readmit }: CheckInRequest) =>
  hashOf(
    'code' in presented ? { code: plain(presented.code) } : presented,
    visitor?.name ?? null,
    leaving ?? false,
    readmit ?? false,
  );
