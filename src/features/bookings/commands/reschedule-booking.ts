import { canSeeAll } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import type { TimeRange } from '../../../core/time/time-range.ts';
import { formatWallClock, toZonedDateTime } from '../../../core/time/time-zone.ts';
import { isExclusionViolation } from '../../../db/constraint-errors.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { DomainError, RetryableConflict } from '../../../errors.ts';
import { authorizeOverride, toBookingRange } from '../booking-input.ts';
import { lockMemberships } from '../entitlements.ts';
import {
  assertNoViolations,
  chooseInitialStatus,
  type Evaluation,
  type EvaluationRequest,
  evaluateBooking,
  type PreviewResult,
  toFreeCancellationDeadline,
  toPreview,
} from '../evaluate-booking.ts';
import {
  evaluateSeries,
  type RequestedOccurrence,
  type SeriesRequest,
  throwSeriesConflicts,
} from '../evaluate-series.ts';
import { notifyHolder } from '../notifications.ts';
import { getWritableBooking } from '../queries/list-bookings.ts';
import { findInstant } from '../rules/series-occurrences.ts';
import { addBookingMinutes, countBookingMinutes } from '../rules/slots.ts';
import type { Booking } from '../types.ts';
import {
  bookingNotLive,
  IS_LIVE_SQL,
  lockSeriesBookings,
  type SeriesScope,
} from './change-booking.ts';
import { toBookingColumns } from './insert-booking.ts';

export interface RescheduleInput {
  startsAt: Date;
  endsAt: Date;
  /** The other bookings of the series move by the same difference in local time and get the same length. */
  scope?: SeriesScope | undefined;
  override?: boolean | undefined;
}

/**
 * Moves a booking in one step, at the current price, and emails the holder. If the new slot is unavailable, the booking
 * keeps the old one.
 *
 * @throws as `createBooking`; CONFLICT, reason NOT_LIVE, when it is cancelled or over, reason SERIES_CONFLICTS for a
 *   series; VALIDATION, reason DEADLINE_PASSED, for members after the free cancellation deadline
 */
export async function rescheduleBooking(
  ctx: Context,
  id: string,
  move: RescheduleInput,
): Promise<Booking> {
  const span = toBookingRange(move, ctx.now());
  const override = authorizeOverride(ctx.viewer, move.override);
  const { scope = 'this' } = move;
  return runInTransaction(ctx, async (tx) => {
    const booking = await getWritableBooking(tx, id);
    const rows = await lockBookings(tx, booking, scope);
    const named = rows.find((row) => row.id === booking.id);
    if (!named) throw bookingNotLive(await getWritableBooking(tx, id));
    await lockMemberships(tx, [...new Set(rows.flatMap((row) => row.membershipId ?? []))].sort());
    if (rows.length === 1) await rescheduleOne(tx, named, span, override);
    else await rescheduleSeries(tx, rows, named, span, override, booking.location.timeZone);
    const moved = await getWritableBooking(tx, id);
    await notifyHolder(tx, moved, 'moved', { bookings: rows.length });
    return moved;
  });
}

/**
 * Returns what `rescheduleBooking` would do with this one booking.
 *
 * @throws as `rescheduleBooking` for invalid input and for a booking that cannot be moved
 */
export async function previewReschedule(
  ctx: Context,
  id: string,
  move: RescheduleInput,
): Promise<PreviewResult> {
  const span = toBookingRange(move, ctx.now());
  const override = authorizeOverride(ctx.viewer, move.override);
  const booking = await getWritableBooking(ctx, id);
  if (booking.status !== 'pending' && booking.status !== 'confirmed') throw bookingNotLive(booking);
  const holder = { memberId: booking.member?.id ?? null };
  const request: EvaluationRequest = {
    resourceId: booking.resource.id,
    holder,
    span,
    override,
    excludedIds: [id],
  };
  const evaluation = await evaluateBooking(ctx, request);
  const { resource } = evaluation.schedule;
  assertBeforeDeadline(ctx, { ...booking, startsAt: new Date(booking.startsAt), resource });
  return toPreview(ctx, evaluation);
}

type LockedBooking = Awaited<ReturnType<typeof lockBookings>>[number];

async function lockBookings(ctx: Context, booking: Booking, scope: SeriesScope) {
  const condition = canSeeAll(ctx.viewer, 'bookings:write')
    ? IS_LIVE_SQL
    : Prisma.sql`${IS_LIVE_SQL} AND b.ends_at > ${ctx.now()}`;
  return ctx.db.booking.findMany({
    where: { id: { in: await lockSeriesBookings(ctx, booking, scope, condition) } },
    include: { resource: true, location: true },
    orderBy: { startsAt: 'asc' },
  });
}

async function rescheduleOne(
  ctx: Context,
  row: LockedBooking,
  span: TimeRange,
  override: boolean,
): Promise<void> {
  assertBeforeDeadline(ctx, row);
  const request: EvaluationRequest = {
    resourceId: row.resourceId,
    holder: row,
    span,
    override,
    excludedIds: [row.id],
  };
  const first = await evaluateBooking(ctx, request);
  await lockMemberships(ctx, first.entitlements.membershipIds);
  const evaluation = first.entitlements.booker ? await evaluateBooking(ctx, request) : first;
  assertNoViolations(ctx, evaluation);
  await saveReschedules(ctx, [[row, evaluation]]);
}

async function rescheduleSeries(
  ctx: Context,
  rows: LockedBooking[],
  named: LockedBooking,
  span: TimeRange,
  override: boolean,
  timeZone: string,
): Promise<void> {
  for (const row of rows) assertBeforeDeadline(ctx, row);
  const toLocal = (instant: number) => toZonedDateTime(instant, timeZone).toPlainDateTime();
  const shift = toLocal(named.startsAt.getTime()).until(toLocal(span.start), {
    largestUnit: 'days',
  });
  const durationContext = { resource: named.resource, calendar: { timeZone } };
  const minutes = countBookingMinutes(durationContext, span);
  const occurrences = rows.map((row): RequestedOccurrence => {
    const isNamed = row.id === named.id;
    const localStart = isNamed ? toLocal(span.start) : toLocal(row.startsAt.getTime()).add(shift);
    const start = isNamed ? span.start : findInstant(localStart, timeZone);
    return {
      span:
        start === null ? null : { start, end: addBookingMinutes(durationContext, start, minutes) },
      localStart: localStart.toString({ smallestUnit: 'minute' }),
    };
  });
  const request: SeriesRequest = {
    resourceId: named.resourceId,
    holder: named,
    override,
    occurrences,
    excludedIds: rows.map(({ id }) => id),
  };
  const { accepted, conflicts } = await evaluateSeries(ctx, request, { locking: true });
  if (conflicts.length > 0) throwSeriesConflicts(conflicts, rows.length);
  await saveReschedules(
    ctx,
    rows.map((row, index) => [row, accepted[index] as Evaluation]),
  );
}

interface ReschedulableBooking {
  status: string;
  startsAt: Date;
  resource: { freeCancellationHours: number };
  location: { timeZone: string };
}

/** Members must not avoid the cancellation fee by moving a booking. */
function assertBeforeDeadline(ctx: Context, row: ReschedulableBooking): void {
  if (canSeeAll(ctx.viewer, 'bookings:write') || row.status === 'pending') return;
  const deadline = toFreeCancellationDeadline(row.resource, row.startsAt.getTime());
  if (ctx.now().getTime() <= deadline) return;
  const localDeadline = formatWallClock(new Date(deadline), row.location.timeZone);
  throw new DomainError(
    'VALIDATION',
    `This booking could be moved until ${localDeadline} (${row.location.timeZone}). Ask at the front desk.`,
    { reason: 'DEADLINE_PASSED' },
  );
}

async function saveReschedules(ctx: Context, moves: [LockedBooking, Evaluation][]): Promise<void> {
  const { db } = ctx;
  const updatedAt = ctx.now();
  try {
    // Free all old slots first: one booking may move to a slot that another one of them still occupies.
    if (moves.length > 1) {
      const ids = moves.map(([{ id }]) => id);
      await db.booking.updateMany({ where: { id: { in: ids } }, data: { status: 'cancelled' } });
    }
    for (const [row, evaluation] of moves) {
      const isInFuture = evaluation.requested.start > updatedAt.getTime();
      await db.booking.update({
        where: { id: row.id },
        data: {
          ...toBookingColumns(evaluation),
          // Approval and check-in belonged to the old time.
          status: canSeeAll(ctx.viewer, 'bookings:write')
            ? row.status
            : chooseInitialStatus(ctx, evaluation),
          checkedInAt: isInFuture ? null : row.checkedInAt,
          updatedAt,
        },
      });
    }
  } catch (error) {
    throw isExclusionViolation(error) ? new RetryableConflict() : error;
  }
}
