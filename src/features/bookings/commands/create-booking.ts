import { type Context, runInTransaction } from '../../../context.ts';
import { createKeyedQueue } from '../../../core/keyed-queue.ts';
import {
  authorizeOverride,
  type BookingInput,
  type Holder,
  resolveHolder,
  toBookingRange,
} from '../booking-input.ts';
import { lockMemberships } from '../entitlements.ts';
import {
  assertNoViolations,
  type Evaluation,
  type EvaluationRequest,
  evaluateBooking,
  type PreviewResult,
  slotConflict,
  toPreview,
} from '../evaluate-booking.ts';
import type { Booking } from '../types.ts';
import { toBookingRow, tryInsertBooking } from './insert-booking.ts';

type BookingRequest = EvaluationRequest & { holder: Holder } & Pick<
    BookingInput,
    'title' | 'notes'
  >;

/**
 * Returns what `createBooking` would do with the same input: whether it is allowed, the violations, the price and free
 * alternatives.
 *
 * @throws VALIDATION, NOT_FOUND and FORBIDDEN as `createBooking` does for invalid input; violated rules are returned
 */
export async function previewBooking(ctx: Context, input: BookingInput): Promise<PreviewResult> {
  return toPreview(ctx, await evaluateBooking(ctx, toBookingRequest(ctx, input)));
}

/**
 * Books a resource for the half-open range [startsAt, endsAt) and publishes `booking.created`.
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
  return ctx.isInTransaction ? insert() : serializeByMembership(membershipId, insert);
}

const serializeByMembership = createKeyedQueue();

/** Evaluates again with the memberships locked, so that nobody else uses up what the plan has left. */
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
    span: toBookingRange(input, ctx.now()),
  };
}

const MAX_INSERT_ATTEMPTS = 3;

/** The database decides which of two concurrent bookings gets the slot; the other one is evaluated again. */
async function insertBooking(
  ctx: Context,
  request: BookingRequest,
  evaluation: Evaluation,
): Promise<Booking> {
  let current = evaluation;
  for (let attempt = 1; ; attempt += 1) {
    assertNoViolations(ctx, current);
    const row = toBookingRow(ctx, request.holder, current, request);
    const booking = await tryInsertBooking(ctx, row, current);
    if (booking !== null) return booking;
    current = await evaluateBooking(ctx, request);
    if (attempt === MAX_INSERT_ATTEMPTS) throw slotConflict(ctx, current);
  }
}
