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
  evaluateBooking,
  type PreviewResult,
  toFreeCancellationDeadline,
  toPreview,
} from '../evaluate-booking.ts';
import {
  evaluateSeries,
  type RequestedOccurrence,
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
import { toBookingColumns } from './create-booking.ts';

export interface RescheduleInput {
  startsAt: Date;
  endsAt: Date;
  /** Others of the series move by as much of the wall clock, and last as long. */
  scope?: SeriesScope | undefined;
  override?: boolean | undefined;
}

/**
 * Moves a booking in one step: either it has the new slot, at today's price, or it keeps the old one. Throws as
 * `create` does, CONFLICT, reason NOT_LIVE, for what is cancelled or over, and VALIDATION, reason DEADLINE_PASSED,
 * for members once cancelling would cost.
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

/** What `reschedule` of this one booking would answer, without doing it. Throws as it does for what cannot be moved at all. */
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
  const question = { resourceId: booking.resource.id, holder, span, override, except: [id] };
  const considered = await evaluateBooking(ctx, question);
  const { resource } = considered.schedule;
  assertBeforeDeadline(ctx, { ...booking, startsAt: new Date(booking.startsAt), resource });
  return toPreview(ctx, considered);
}

type LockedBooking = Awaited<ReturnType<typeof lockBookings>>[number];

async function lockBookings(ctx: Context, booking: Booking, scope: SeriesScope) {
  const inTime = canSeeAll(ctx.viewer, 'bookings:write')
    ? IS_LIVE_SQL
    : Prisma.sql`${IS_LIVE_SQL} AND b.ends_at > ${ctx.now()}`;
  return ctx.db.booking.findMany({
    where: { id: { in: await lockSeriesBookings(ctx, booking, scope, inTime) } },
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
  const question = { resourceId: row.resourceId, holder: row, span, override, except: [row.id] };
  const first = await evaluateBooking(ctx, question);
  await lockMemberships(ctx, first.entitlements.membershipIds);
  const considered = first.entitlements.booker ? await evaluateBooking(ctx, question) : first;
  assertNoViolations(ctx, considered);
  await saveReschedules(ctx, [[row, considered]]);
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
  const wall = (instant: number) => toZonedDateTime(instant, timeZone).toPlainDateTime();
  const shift = wall(named.startsAt.getTime()).until(wall(span.start), { largestUnit: 'days' });
  const measure = { resource: named.resource, calendar: { timeZone } };
  const minutes = countBookingMinutes(measure, span);
  const occurrences = rows.map((row): RequestedOccurrence => {
    const target = row.id === named.id ? wall(span.start) : wall(row.startsAt.getTime()).add(shift);
    const start = row.id === named.id ? span.start : findInstant(target, timeZone);
    return {
      span: start === null ? null : { start, end: addBookingMinutes(measure, start, minutes) },
      wall: target.toString({ smallestUnit: 'minute' }),
    };
  });
  const several = {
    resourceId: named.resourceId,
    holder: named,
    override,
    occurrences,
    except: rows.map(({ id }) => id),
  };
  const { accepted, conflicts } = await evaluateSeries(ctx, several, { locking: true });
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

/** Moving must not be a way around the fee. */
function assertBeforeDeadline(ctx: Context, row: ReschedulableBooking): void {
  if (canSeeAll(ctx.viewer, 'bookings:write') || row.status === 'pending') return;
  const until = toFreeCancellationDeadline(row.resource, row.startsAt.getTime());
  if (ctx.now().getTime() <= until) return;
  const wall = formatWallClock(new Date(until), row.location.timeZone);
  throw new DomainError(
    'VALIDATION',
    `This booking could be moved until ${wall} (${row.location.timeZone}). Ask at the front desk.`,
    { reason: 'DEADLINE_PASSED' },
  );
}

async function saveReschedules(ctx: Context, moves: [LockedBooking, Evaluation][]): Promise<void> {
  const { db } = ctx;
  const updatedAt = ctx.now();
  try {
    // Out of each other's way first: one may go where another of them is now.
    if (moves.length > 1) {
      const ids = moves.map(([{ id }]) => id);
      await db.booking.updateMany({ where: { id: { in: ids } }, data: { status: 'cancelled' } });
    }
    for (const [row, considered] of moves) {
      const isToCome = considered.requested.start > updatedAt.getTime();
      await db.booking.update({
        where: { id: row.id },
        data: {
          ...toBookingColumns(considered),
          // What staff approved for members was another time; whoever has come then has not come now.
          status: canSeeAll(ctx.viewer, 'bookings:write')
            ? row.status
            : chooseInitialStatus(ctx, considered),
          checkedInAt: isToCome ? null : row.checkedInAt,
          updatedAt,
        },
      });
    }
  } catch (error) {
    throw isExclusionViolation(error) ? new RetryableConflict() : error;
  }
}
