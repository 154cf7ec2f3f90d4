import { type Context, runInTransaction } from '../../../context.ts';
import { assertNoViolations, type PreviewResult, toPreview } from '../booking-preview.ts';
import { lockMemberships } from '../entitlements.ts';
import { evaluateBooking } from '../evaluate-booking.ts';
import {
  authorizeOverride,
  type BookingInput,
  resolveHolder,
  toBookingRange,
} from '../holder-and-times.ts';
import type { Booking } from '../types.ts';
import { type BookingRequest, insertBooking } from './insert-booking.ts';

/**
 * Returns what `createBooking` would do with the same input: whether it is allowed, the violations, the price and free
 * alternatives.
 *
 * @throws VALIDATION, NOT_FOUND and FORBIDDEN for invalid input, as `createBooking` does; violated rules are returned instead
 */
export async function previewBooking(ctx: Context, input: BookingInput): Promise<PreviewResult> {
  return toPreview(ctx, await evaluateBooking(ctx, toBookingRequest(ctx, input)));
}

/**
 * Books a resource for the half-open range [startsAt, endsAt).
 *
 * @throws CONFLICT, reason SLOT_TAKEN, with the nearest free slots; VALIDATION for a rule of the resource, location or
 *   plan; NOT_FOUND for the resource or member; FORBIDDEN for an override by a caller who is not staff
 */
export async function createBooking(ctx: Context, input: BookingInput): Promise<Booking> {
  const request = toBookingRequest(ctx, input);
  const evaluation = await evaluateBooking(ctx, request);
  assertNoViolations(ctx, evaluation);
  const { membershipIds } = evaluation.entitlements;
  const [membershipId] = membershipIds;
  if (membershipId === undefined) return insertBooking(ctx, request, evaluation);
  const insert = () => insertWithMemberships(ctx, request, membershipIds);
  return ctx.isInTransaction ? insert() : ctx.queues.bookings(membershipId, insert);
}

/** Evaluates again with the memberships locked, so that concurrent bookings cannot use the same included hours. */
const insertWithMemberships = (
  ctx: Context,
  request: BookingRequest,
  membershipIds: string[],
): Promise<Booking> =>
  runInTransaction(ctx, async (tx) => {
    await lockMemberships(tx, membershipIds);
    return insertBooking(tx, request, await evaluateBooking(tx, request));
  });

function toBookingRequest(ctx: Context, input: BookingInput): BookingRequest {
  const { resourceId, title, notes } = input;
  return {
    resourceId,
    title,
    notes,
    holder: resolveHolder(ctx.viewer, input),
    override: authorizeOverride(ctx.viewer, input.override),
    range: toBookingRange(input, ctx.now()),
  };
}
