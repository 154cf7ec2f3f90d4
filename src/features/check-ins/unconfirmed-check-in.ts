import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { findClosingTime } from '../../core/time/opening-hours.ts';
import { DomainError } from '../../errors.ts';
import { isUnpairedClient } from './caller.ts';
import { createCheckOutToken } from './check-out-token.ts';
import { assertLookupsPublic } from './lookup/access.ts';
import { consumeHandle } from './lookup/handles.ts';
import {
  type AttemptContext,
  type CheckInOutcome,
  recordAttempt,
  recordRejection,
  toCandidates,
  toOutcomeSubject,
} from './service/attempt-log.ts';
import type { CheckInRequest } from './types.ts';

// An unpaired client can be anywhere and can present the handle of anyone it has looked up. So its check-in by handle is only
// recorded, and staff sees it. The result depends on the handle and on the number of visits at the location, and on nothing
// about the person: not on their visits, bookings or membership. Otherwise the result would show who is present. For the same
// reason, each of these check-ins begins a visit of its own, which only its token, staff or the end of the day ends.

/** Whether nobody confirms that the person of this request is there: an unpaired client presents a handle. */
export const isUnconfirmedCheckIn = (
  viewer: Viewer,
  { credential, locationId }: CheckInRequest,
): boolean => 'handle' in credential && isUnpairedClient(viewer, locationId);

/**
 * Checks what does not depend on the handle.
 * @throws NOT_FOUND for the location; VALIDATION, reason KIOSK_NEEDED or CHECK_OUT_TOKEN_NEEDED.
 */
export async function assertCanCheckInUnconfirmed(
  ctx: Context,
  { locationId, leaving }: CheckInRequest,
): Promise<void> {
  await assertLookupsPublic(ctx, locationId);
  if (!leaving) return;
  throw new DomainError(
    'VALIDATION',
    'A client that is not paired cannot check people out by handle. Use the check_out_token of the check-in, or the code of the person.',
    { reason: 'CHECK_OUT_TOKEN_NEEDED' },
  );
}

/** Begins an unconfirmed visit, if the handle is valid and the location has a place besides all visits. */
export async function beginUnconfirmedVisit(
  ctx: Context,
  attempt: AttemptContext,
): Promise<CheckInOutcome> {
  const { request, at, location, handle } = attempt;
  const [candidate] = toCandidates(attempt);
  if (candidate === undefined || handle === null) return recordRejection(ctx, attempt, 'not_found');
  const handleRejection = await consumeHandle(ctx, handle, location.id);
  if (handleRejection) return recordRejection(ctx, attempt, handleRejection, candidate);

  const autoCheckOutAt = new Date(findClosingTime(location, at.getTime()));
  const isOver = autoCheckOutAt <= ctx.now();
  if (!isOver && isFull(location)) return recordRejection(ctx, attempt, 'capacity_full', candidate);
  const token = createCheckOutToken(request.scanId);
  const id = await recordAttempt(
    ctx,
    request,
    {
      locationId: location.id,
      occurredAt: at,
      result: 'admitted',
      candidate,
      change: 'check_in.unconfirmed',
    },
    {
      unconfirmed: true,
      autoCheckOutAt,
      ...token.columns,
      ...(isOver ? { checkedOutAt: autoCheckOutAt, autoCheckedOut: true } : {}),
    },
  );
  return {
    result: 'admitted',
    unconfirmed: true,
    ...toOutcomeSubject(candidate),
    visit: { id, occurredAt: at, checkedOutAt: null },
    canEndVisit: true,
    checkOutToken: token.plainText,
  };
}

const isFull = ({ capacity, present, unconfirmed }: AttemptContext['location']): boolean =>
  capacity !== null && present + unconfirmed >= capacity;
