import type { z } from 'zod';
import { canSeeAll } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import type { TimeRange } from '../../../core/time/time-range.ts';
import { formatWallClock, toZonedDateTime } from '../../../core/time/time-zone.ts';
import { isExclusionViolation } from '../../../db/constraint-errors.ts';
import { DomainError } from '../../../errors.ts';
import { recordUpdated } from '../../../journal/record-changes.ts';
import { assertNoViolations, type PreviewResult, toPreview } from '../booking-preview.ts';
import { lockMemberships } from '../entitlements.ts';
import {
  chooseInitialStatus,
  type Evaluation,
  type EvaluationRequest,
  evaluateBooking,
  toFreeCancellationDeadline,
} from '../evaluate-booking.ts';
import {
  evaluateSeries,
  type RequestedOccurrence,
  type SeriesRequest,
  throwSeriesConflicts,
} from '../evaluate-series.ts';
import { authorizeOverride, toBookingRange } from '../holder-and-times.ts';
import type { previewRescheduleArgs } from '../inputs.ts';
import { getWritableBooking } from '../queries/list-bookings.ts';
import { findInstant } from '../rules/series-occurrences.ts';
import { addBookingMinutes, countBookingMinutes } from '../rules/slots.ts';
import { type Booking, slotTakenMeanwhile } from '../types.ts';
import {
  bookingNotLive,
  lockSeriesBookings,
  type SeriesScope,
  toChangeableCondition,
} from './change-booking.ts';
import { toBookingColumns } from './insert-booking.ts';

interface RescheduleInput extends Omit<z.output<typeof previewRescheduleArgs>, 'id'> {
  /** The other bookings of the series move by the same difference in local time and get the same length. */
  scope?: SeriesScope;
}

/**
 * Moves a booking in one step, at the current price. If the new slot is unavailable, the booking
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
  const range = toBookingRange(move, ctx.now());
  const override = authorizeOverride(ctx.viewer, move.override);
  const { scope = 'this' } = move;
  return runInTransaction(ctx, async (tx) => {
    const booking = await getWritableBooking(tx, id);
    const rows = await lockBookings(tx, booking, scope);
    const selected = rows.find((row) => row.id === booking.id);
    if (!selected) throw bookingNotLive(await getWritableBooking(tx, id));
    await lockMemberships(tx, [...new Set(rows.flatMap((row) => row.membershipId ?? []))].sort());
    const reschedule = rows.length === 1 ? rescheduleOne : rescheduleSeries;
    const ids = rows.map((row) => row.id);
    await recordUpdated(tx, 'booking.rescheduled', ids, () =>
      reschedule(tx, { rows, selected, range, override }),
    );
    return getWritableBooking(tx, id);
  });
}

/**
 * Returns what `rescheduleBooking` would do with this booking alone.
 *
 * @throws as `rescheduleBooking` for invalid input and for a booking that cannot be moved
 */
export async function previewReschedule(
  ctx: Context,
  id: string,
  move: RescheduleInput,
): Promise<PreviewResult> {
  const range = toBookingRange(move, ctx.now());
  const override = authorizeOverride(ctx.viewer, move.override);
  const booking = await getWritableBooking(ctx, id);
  if (booking.status !== 'pending' && booking.status !== 'confirmed') throw bookingNotLive(booking);
  const holder = { memberId: booking.member?.id ?? null };
  const request: EvaluationRequest = {
    resourceId: booking.resource.id,
    holder,
    range,
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
  const ids = await lockSeriesBookings(ctx, booking, scope, toChangeableCondition(ctx));
  return ctx.db.booking.findMany({
    where: { id: { in: ids } },
    include: { resource: true, location: true },
    orderBy: { startsAt: 'asc' },
  });
}

/** A move of locked bookings. */
interface Move {
  rows: LockedBooking[];
  /** The one of them that moves to `range`; the others move along. */
  selected: LockedBooking;
  range: TimeRange;
  override: boolean;
}

async function rescheduleOne(
  ctx: Context,
  { selected: row, range, override }: Move,
): Promise<void> {
  assertBeforeDeadline(ctx, row);
  const request: EvaluationRequest = {
    resourceId: row.resourceId,
    holder: row,
    range,
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
  { rows, selected, range, override }: Move,
): Promise<void> {
  const { timeZone } = selected.location;
  for (const row of rows) assertBeforeDeadline(ctx, row);
  const toLocal = (instant: number) => toZonedDateTime(instant, timeZone).toPlainDateTime();
  const shift = toLocal(selected.startsAt.getTime()).until(toLocal(range.start), {
    largestUnit: 'days',
  });
  const durationContext = { resource: selected.resource, calendar: { timeZone } };
  const minutes = countBookingMinutes(durationContext, range);
  const occurrences = rows.map((row): RequestedOccurrence => {
    const isSelected = row.id === selected.id;
    const localStart = isSelected
      ? toLocal(range.start)
      : toLocal(row.startsAt.getTime()).add(shift);
    const start = isSelected ? range.start : findInstant(localStart, timeZone);
    return {
      range:
        start === null ? null : { start, end: addBookingMinutes(durationContext, start, minutes) },
      localStart: localStart.toString({ smallestUnit: 'minute' }),
    };
  });
  const request: SeriesRequest = {
    resourceId: selected.resourceId,
    holder: selected,
    override,
    occurrences,
    excludedIds: rows.map(({ id }) => id),
  };
  const { accepted, conflicts } = await evaluateSeries(ctx, request, { locking: true });
  if (conflicts.length > 0) throwSeriesConflicts(conflicts, rows.length);
  await saveReschedules(
    ctx,
    rows.map((row, index) => {
      const evaluation = accepted[index];
      if (!evaluation) throw new Error(`Booking ${row.id} was not evaluated.`);
      return [row, evaluation];
    }),
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
    `The deadline to move this booking was ${localDeadline} (${row.location.timeZone}). Ask at the front desk.`,
    { reason: 'DEADLINE_PASSED' },
  );
}

async function saveReschedules(ctx: Context, moves: [LockedBooking, Evaluation][]): Promise<void> {
  const { db } = ctx;
  const updatedAt = ctx.now();
  try {
    // Free all old slots first, since a booking can move to a slot that another booking of the series still occupies.
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
          // Approval and check-in apply to the old time.
          status: canSeeAll(ctx.viewer, 'bookings:write')
            ? row.status
            : chooseInitialStatus(ctx, evaluation),
          checkedInAt: isInFuture ? null : row.checkedInAt,
          updatedAt,
        },
      });
    }
  } catch (error) {
    throw isExclusionViolation(error) ? slotTakenMeanwhile() : error;
  }
}
