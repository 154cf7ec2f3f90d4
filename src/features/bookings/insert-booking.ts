import { v7 } from 'uuid';
import { type Context, runInTransaction } from '../../context.ts';
import { toSnakeCaseKeys } from '../../core/letter-case.ts';
import { getDurationMinutes, type TimeRange } from '../../core/time/time-range.ts';
import { isExclusionViolation } from '../../db/constraint-errors.ts';
import { toJsonSql } from '../../db/json-projection.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { toOrigin, toRecordSql } from '../../journal/record-changes.ts';
import { toOccupiedRange } from '../spaces/types.ts';
import { assertNoViolations } from './booking-preview.ts';
import { lockMemberships } from './entitlements.ts';
import {
  chooseInitialStatus,
  type Evaluation,
  type EvaluationRequest,
  evaluateBooking,
  evaluateWithLockedMemberships,
  type SlotQuote,
} from './evaluate-booking.ts';
import type { BookingInput, Holder } from './holder-and-times.ts';
import { BOOKING_JOINS, type Booking, bookingProjection, slotTakenMeanwhile } from './types.ts';

export type BookingRequest = EvaluationRequest & { holder: Holder } & Pick<
    BookingInput,
    'title' | 'notes'
  >;

const MAX_INSERT_ATTEMPTS = 3;

/**
 * Evaluates and inserts a booking. The database decides which of two concurrent bookings gets the slot; the other one is
 * evaluated again.
 */
export async function insertBooking(ctx: Context, request: BookingRequest): Promise<Booking> {
  for (let attempt = 1; attempt <= MAX_INSERT_ATTEMPTS; attempt += 1) {
    const evaluation = await evaluateBooking(ctx, request);
    await assertNoViolations(ctx, request, evaluation);
    const { membershipIds } = evaluation.entitlements;
    const booking =
      membershipIds.length === 0
        ? await tryInsertBooking(ctx, request, evaluation)
        : await insertWithMemberships(ctx, request, membershipIds);
    if (booking !== null) return booking;
  }
  throw slotTakenMeanwhile();
}

/** Evaluates again with the memberships locked, and inserts. Returns null if the slot is no longer free. */
function insertWithMemberships(
  ctx: Context,
  request: BookingRequest,
  membershipIds: string[],
): Promise<Booking | null> {
  const insert = () =>
    runInTransaction(ctx, async (tx) => {
      await lockMemberships(tx, membershipIds);
      const evaluation = await evaluateWithLockedMemberships(tx, request, membershipIds);
      await assertNoViolations(tx, request, evaluation);
      return tryInsertBooking(tx, request, evaluation);
    });
  const [membershipId = ''] = membershipIds;
  return ctx.isInTransaction ? insert() : ctx.queues.bookings(membershipId, insert);
}

type BookingRow = ReturnType<typeof toBookingRow>;

/** Converts an accepted evaluation to a row of `bookings`. */
export function toBookingRow(
  ctx: Context,
  { memberId, guest }: Holder,
  evaluation: Evaluation,
  { title, notes }: Pick<BookingInput, 'title' | 'notes'>,
) {
  return {
    id: v7(),
    memberId,
    guestName: guest?.name ?? null,
    guestEmail: guest?.email ?? null,
    status: chooseInitialStatus(ctx, evaluation),
    title: title ?? null,
    notes: notes ?? null,
    createdAt: ctx.now(),
    updatedAt: ctx.now(),
    ...toBookingColumns(evaluation),
  };
}

/** Returns the columns that depend on the slot: resource, times, price and usage of the membership. */
export function toBookingColumns({ requested, schedule, entitlement, quote }: Evaluation) {
  return {
    resourceId: schedule.resource.id,
    locationId: schedule.location.id,
    startsAt: new Date(requested.start),
    endsAt: new Date(requested.end),
    occupiedUntil: new Date(toOccupiedRange(schedule.resource, requested).end),
    ...toPriceColumns({ minutes: requested.minutes, entitlement, quote }, requested),
  };
}

/** Returns the columns that depend on the price. */
export const toPriceColumns = ({ minutes, entitlement, quote }: SlotQuote, slot: TimeRange) => ({
  priceAmount: quote.price.amount,
  priceCurrency: quote.price.currency,
  membershipId: entitlement.membershipId,
  usageMonth: entitlement.membershipId === null ? null : new Date(`${entitlement.month}T00:00:00Z`),
  includedMinutes: quote.includedMinutes,
  clockChangeMinutes: minutes - getDurationMinutes(slot),
});

const COLUMNS = [
  ...['id', 'resource_id', 'location_id', 'member_id', 'guest_name', 'guest_email'],
  ...['status', 'title', 'notes', 'starts_at', 'ends_at', 'occupied_until'],
  ...['price_amount', 'price_currency', 'membership_id', 'usage_month', 'included_minutes'],
  'clock_change_minutes',
  ...['created_at', 'updated_at'],
].join(', ');

// Inserts and records the booking and returns it. DO NOTHING covers the exclusion constraint and keeps a surrounding
// transaction usable.
const INSERT_BOOKING = prepareStatement(`
  WITH item AS (
    INSERT INTO bookings (${COLUMNS})
    SELECT ${COLUMNS} FROM jsonb_populate_record(NULL::bookings, $1::jsonb)
    ON CONFLICT DO NOTHING RETURNING *),
  recorded AS (${toRecordSql({
    subject: 'booking',
    type: `'booking.created'`,
    source: 'item row, jsonb_populate_record(NULL::changes, $2::jsonb) origin',
  })})
  SELECT ${toJsonSql(bookingProjection, 'camel')} AS booking FROM item ${BOOKING_JOINS}`);

/** Inserts a booking. Returns null if the slot is no longer free. */
async function tryInsertBooking(
  ctx: Context,
  request: BookingRequest,
  evaluation: Evaluation,
): Promise<Booking | null> {
  const row = toBookingRow(ctx, request.holder, evaluation, request);
  try {
    const [created] = await ctx.lockingSql<{ booking: Booking }>(INSERT_BOOKING, [
      toRowJson(row),
      JSON.stringify(toOrigin(ctx)),
    ]);
    return created?.booking ?? null;
  } catch (error) {
    // DO NOTHING does not cover an event published in the meantime: its trigger raises, which aborts a transaction.
    if (!isExclusionViolation(error)) throw error;
    if (ctx.isInTransaction) throw slotTakenMeanwhile();
    return null;
  }
}

const toRowJson = (row: BookingRow) => JSON.stringify(toSnakeCaseKeys(row));
