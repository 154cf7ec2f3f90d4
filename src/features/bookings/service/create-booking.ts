import type { Context } from '../../../context.ts';
import { type PreviewResult, toPreview } from '../booking-preview.ts';
import { evaluateBooking } from '../evaluate-booking.ts';
import {
  authorizeOverride,
  type BookingInput,
  resolveHolder,
  toBookingRange,
} from '../holder-and-times.ts';
import { type BookingRequest, insertBooking } from '../insert-booking.ts';
import type { Booking } from '../types.ts';

/**
 * Returns what `createBooking` would do with the same input: whether it is allowed, the violations, the price and free
 * alternatives.
 *
 * @throws VALIDATION, NOT_FOUND and FORBIDDEN for invalid input, as `createBooking` does; violated rules are returned instead
 */
export async function previewBooking(ctx: Context, input: BookingInput): Promise<PreviewResult> {
  const request = toBookingRequest(ctx, input);
  return toPreview(ctx, request, await evaluateBooking(ctx, request));
}

/**
 * Books a resource for the half-open range [startsAt, endsAt).
 *
 * @throws CONFLICT, reason SLOT_TAKEN, with the nearest free slots; VALIDATION for a rule of the resource, location or
 *   plan; NOT_FOUND for the resource or member; FORBIDDEN for an override by a caller who is not staff
 *
 * @example
 * await createBooking(ctx, { resourceId, memberId, startsAt, endsAt: new Date(startsAt.getTime() + HOUR_MS) });
 */
export const createBooking = async (ctx: Context, input: BookingInput): Promise<Booking> =>
  insertBooking(ctx, toBookingRequest(ctx, input));

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
