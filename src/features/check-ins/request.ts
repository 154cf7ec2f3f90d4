import { can } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { hashJson } from '../../core/encryption.ts';
import { DAY_MS, MINUTE_MS } from '../../core/time/time-zone.ts';
import { DomainError, missingScope } from '../../errors.ts';
import { normalizeCode } from './resolve-code.ts';
import type { CheckInRequest, Credential } from './types.ts';

const WRITE_SCOPE = 'check-ins:write';
const MAX_CLOCK_SKEW_MS = 2 * MINUTE_MS;
const MAX_PUBLIC_AGE_DAYS = 1;
const MAX_STAFF_AGE_DAYS = 7;

/** Returns the only credential of a request. @throws VALIDATION, reason PRESENT_ONE, for none or several. */
export function parseCredential(
  fields: {
    code?: string | undefined;
    handle?: string | undefined;
    memberId?: string | undefined;
    bookingId?: string | undefined;
  },
  { acceptsIds }: { acceptsIds: boolean },
): Credential {
  const { code, handle, memberId, bookingId } = fields;
  const credentials = [
    ...(code === undefined ? [] : [{ code }]),
    ...(handle === undefined ? [] : [{ handle }]),
    ...(memberId === undefined ? [] : [{ memberId }]),
    ...(bookingId === undefined ? [] : [{ bookingId }]),
  ];
  const [credential, ...others] = credentials;
  if (credential !== undefined && others.length === 0) return credential;
  throw new DomainError(
    'VALIDATION',
    acceptsIds
      ? 'Specify exactly one code or handle. Staff can specify memberId or bookingId instead.'
      : 'Specify exactly one code or handle.',
    {
      reason: 'PRESENT_ONE',
      fields: acceptsIds ? ['code', 'handle', 'memberId', 'bookingId'] : ['code', 'handle'],
    },
  );
}

/**
 * Checks that the viewer can present this credential. Codes and handles need no scope, and members can present themselves and
 * their bookings. Everything else needs check-ins:write.
 * @throws FORBIDDEN; VALIDATION, reason VISITOR_WITHOUT_HOST, for a visitor without a member.
 */
export async function assertCanPresent(ctx: Context, request: CheckInRequest): Promise<void> {
  const { credential, visitor, readmit, admitDisputed } = request;
  if (visitor && !('handle' in credential) && !('memberId' in credential)) {
    throw new DomainError(
      'VALIDATION',
      'A visitor needs the handle of the member they visit, from a lookup.',
      {
        reason: 'VISITOR_WITHOUT_HOST',
        fields: ['visitor'],
      },
    );
  }
  if (can(ctx.viewer, WRITE_SCOPE)) return;
  if (readmit || admitDisputed || !(await isOwnCredential(ctx, credential)))
    throw missingScope(WRITE_SCOPE);
}

async function isOwnCredential({ db, viewer }: Context, credential: Credential): Promise<boolean> {
  if ('code' in credential || 'handle' in credential) return true;
  if (viewer.kind !== 'member') return false;
  if ('memberId' in credential) return credential.memberId.toLowerCase() === viewer.id;
  const own = { id: credential.bookingId, memberId: viewer.id };
  return (await db.booking.count({ where: own })) > 0;
}

/**
 * Resolves when the attempt happened. A device clock that is up to two minutes ahead counts as now.
 * @throws VALIDATION, reason IN_THE_FUTURE or TOO_LONG_AGO.
 */
export function resolveOccurredAt({ viewer, now }: Context, { occurredAt }: CheckInRequest): Date {
  const receivedAt = now();
  if (occurredAt === undefined) return receivedAt;
  const ageMs = receivedAt.getTime() - occurredAt.getTime();
  if (ageMs < -MAX_CLOCK_SKEW_MS) {
    throw new DomainError(
      'VALIDATION',
      'The scan is in the future. Check the clock of the device, or omit the time.',
      { reason: 'IN_THE_FUTURE', fields: ['occurredAt'] },
    );
  }
  const days = can(viewer, WRITE_SCOPE) ? MAX_STAFF_AGE_DAYS : MAX_PUBLIC_AGE_DAYS;
  if (ageMs > days * DAY_MS) {
    throw new DomainError(
      'VALIDATION',
      `The scan happened more than ${days === 1 ? '24 hours' : `${days} days`} ago.${
        days === MAX_PUBLIC_AGE_DAYS
          ? ` Staff can upload scans of the last ${MAX_STAFF_AGE_DAYS} days.`
          : ''
      }`,
      { reason: 'TOO_LONG_AGO', fields: ['occurredAt'], days },
    );
  }
  return ageMs < 0 ? receivedAt : occurredAt;
}

/**
 * Hashes a request, to compare a retry with the first request. The time is not part of the hash: a client that got no
 * response sends the scan again with the time at which it happened.
 */
export const hashCheckInRequest = ({
  credential,
  visitor,
  leaving,
  readmit,
  admitDisputed,
}: CheckInRequest) =>
  hashJson(
    'code' in credential ? { code: normalizeCode(credential.code) } : credential,
    visitor?.name ?? null,
    leaving ?? false,
    readmit ?? false,
    // Absent from the hashes of scans that were made before it existed.
    ...(admitDisputed ? [true] : []),
  );
