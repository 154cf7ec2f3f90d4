import { v7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { MINUTE_MS } from '../../../core/time/time-zone.ts';
import { isExclusionViolation } from '../../../db/constraint-errors.ts';
import { toJsonSql, toSnakeCase } from '../../../db/json-projection.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { toPublishSql } from '../../../integrations/webhooks/publish-sql.ts';
import type { BookingInput, Holder } from '../booking-input.ts';
import { chooseInitialStatus, type Evaluation, slotConflict } from '../evaluate-booking.ts';
import { BOOKING_JOINS, type Booking, bookingProjection } from '../types.ts';

export type BookingRow = ReturnType<typeof toBookingRow>;

/** Renders an accepted evaluation as a row of `bookings`. */
export function toBookingRow(
  ctx: Context,
  { memberId, guest }: Holder,
  evaluation: Evaluation,
  { title, notes }: Pick<BookingInput, 'title' | 'notes'>,
) {
  return {
    id: v7(),
    resourceId: evaluation.schedule.resource.id,
    locationId: evaluation.schedule.location.id,
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

/** The columns that depend on the slot: times, price, and what it uses of a membership. */
export function toBookingColumns({ requested, schedule, entitlement, quote }: Evaluation) {
  return {
    startsAt: new Date(requested.start),
    endsAt: new Date(requested.end),
    occupiedUntil: new Date(requested.end + schedule.resource.bufferMinutes * MINUTE_MS),
    priceAmount: quote.price.amount,
    priceCurrency: quote.price.currency,
    membershipId: entitlement.membershipId,
    usageMonth:
      entitlement.membershipId === null ? null : new Date(`${entitlement.month}T00:00:00Z`),
    includedMinutes: quote.includedMinutes,
  };
}

const COLUMNS = [
  ...['id', 'resource_id', 'location_id', 'member_id', 'guest_name', 'guest_email'],
  ...['status', 'title', 'notes', 'starts_at', 'ends_at', 'occupied_until'],
  ...['price_amount', 'price_currency', 'membership_id', 'usage_month', 'included_minutes'],
  ...['created_at', 'updated_at'],
].join(', ');

// The event catalog documents neither of these.
const { notes: _notes, checkedInAt: _checkedInAt, ...payloadProjection } = bookingProjection;

// Inserts the booking, publishes booking.created and returns the booking: one statement, whether or not a webhook is
// subscribed. DO NOTHING covers the exclusion constraint and keeps a surrounding transaction usable.
const INSERT_BOOKING = prepareStatement(`
  WITH item AS (
    INSERT INTO bookings (${COLUMNS})
    SELECT ${COLUMNS} FROM jsonb_populate_record(NULL::bookings, $1::jsonb)
    ON CONFLICT DO NOTHING RETURNING *),
  created AS MATERIALIZED (
    SELECT ${toJsonSql(bookingProjection, 'camel')} AS booking,
      jsonb_build_object('booking', ${toJsonSql(payloadProjection, 'snake')}) AS payload
    FROM item ${BOOKING_JOINS}),
  ${toPublishSql({ type: 'booking.created', source: 'created', messageId: '$2::uuid', now: '$3::timestamptz' })}
  SELECT created.booking, (SELECT count(*) FROM delivery)::int AS deliveries FROM created`);

/** Inserts a booking and publishes `booking.created`; null if its slot was taken in the meantime. */
export async function tryInsertBooking(
  ctx: Context,
  row: BookingRow,
  evaluation: Evaluation,
): Promise<Booking | null> {
  try {
    const [created] = await ctx.lockingSql<{ booking: Booking; deliveries: number }>(
      INSERT_BOOKING,
      [toRowJson(row), v7(), ctx.now()],
    );
    if (created === undefined) return null;
    if (created.deliveries > 0) await ctx.triggerJob?.(ctx, 'webhooks.deliver');
    return created.booking;
  } catch (error) {
    // DO NOTHING does not cover an event published in the meantime: its trigger raises, which aborts a transaction.
    if (!isExclusionViolation(error)) throw error;
    if (ctx.isInTransaction) throw slotConflict(ctx, evaluation);
    return null;
  }
}

const toRowJson = (row: BookingRow) =>
  JSON.stringify(
    Object.fromEntries(Object.entries(row).map(([key, value]) => [toSnakeCase(key), value])),
  );
