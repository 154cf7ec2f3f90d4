import { canSeeAll } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import { formatLongTime, formatTimeZone } from '../../../core/time/format.ts';
import { findInstants } from '../../../core/time/local-time.ts';
import type { TimeRange } from '../../../core/time/time-range.ts';
import { toZonedDateTime } from '../../../core/time/time-zone.ts';
import type { InputOf } from '../../../core/validation.ts';
import { isExclusionViolation } from '../../../db/constraint-errors.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { recordUpdated } from '../../../journal/record-changes.ts';
import { assertNoViolations, type PreviewResult, toPreview } from '../booking-preview.ts';
import {
  chooseInitialStatus,
  type Evaluation,
  type EvaluationRequest,
  evaluateBooking,
  evaluateWithLockedMemberships,
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
import { toBookingColumns } from '../insert-booking.ts';
import { addBookingMinutes, countBookingMinutes } from '../rules/slots.ts';
import { type Booking, slotTakenMeanwhile } from '../types.ts';
import {
  bookingNotLive,
  findSeriesBookings,
  lockSeriesBookings,
  type SeriesScope,
  toChangeableCondition,
} from './change-booking.ts';
import { getWritableBooking } from './list-bookings.ts';

interface RescheduleInput extends Omit<InputOf<typeof previewRescheduleArgs>, 'id'> {
  /** The other bookings of the series move by the same difference in local time and get the same length. */
  scope?: SeriesScope;
}

/**
 * Moves a booking to other times or to another resource of its location in one step, at the current price. If the new slot is
 * unavailable, the booking keeps the old one.
 *
 * @throws as `createBooking`
 * @throws VALIDATION: RESOURCE_ELSEWHERE for a resource of another location, DEADLINE_PASSED for members after the free cancellation
 *   deadline
 * @throws CONFLICT: NOT_LIVE if it is cancelled or over, SERIES_CONFLICTS for a series, CURRENCY_MIXED if it is paid and would get a
 *   price in another currency
 *
 * @example
 * await rescheduleBooking(ctx, booking.id, { startsAt, endsAt, resourceId: largerRoom.id });
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
    const target = await findTarget(tx, booking, move.resourceId);
    const ids = await lockSeriesBookings(tx, booking, scope, toChangeableCondition(tx));
    const rows = await loadBookings(tx, ids);
    const selected = rows.find((row) => row.id === booking.id);
    if (!selected) throw bookingNotLive(await getWritableBooking(tx, id));
    const reschedule = rows.length === 1 ? rescheduleOne : rescheduleSeries;
    await recordUpdated(tx, 'booking.rescheduled', ids, () =>
      reschedule(tx, { rows, selected, target, range, override }),
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
  const target = await findTarget(ctx, booking, move.resourceId);
  const ids = await findSeriesBookings(ctx, booking, 'this', toChangeableCondition(ctx));
  const [selected] = await loadBookings(ctx, ids);
  if (!selected) throw bookingNotLive(booking);
  assertBeforeDeadline(ctx, selected);
  const request = toEvaluationRequest(selected, { target, range, override });
  const evaluation = await evaluateBooking(ctx, request);
  assertSameCurrency(selected, evaluation);
  const preview = await toPreview(ctx, request, evaluation);
  return { ...preview, status: chooseStatusAfterMove(ctx, selected, evaluation) };
}

type Target = NonNullable<Awaited<ReturnType<typeof findTarget>>>;

/** Finds the resource to move to, or null if the booking keeps its resource. */
async function findTarget({ db }: Context, booking: Booking, resourceId: string | undefined) {
  if (resourceId === undefined) return null;
  const target = isUuid(resourceId)
    ? await db.resource.findUnique({ where: { id: resourceId } })
    : null;
  if (target === null) throw notFound('resource', resourceId);
  if (target.locationId === booking.location.id) return target;
  throw new DomainError(
    'VALIDATION',
    `${target.name} is at another location than the booking. Choose a resource of ${booking.location.name}.`,
    { reason: 'RESOURCE_ELSEWHERE', fields: ['resourceId'] },
  );
}

type MovableBooking = Awaited<ReturnType<typeof loadBookings>>[number];

const loadBookings = (ctx: Context, ids: string[]) =>
  ctx.db.booking.findMany({
    where: { id: { in: ids } },
    include: { resource: true, location: true },
    orderBy: { startsAt: 'asc' },
  });

const toEvaluationRequest = (
  row: MovableBooking,
  { target, range, override }: Pick<Move, 'target' | 'range' | 'override'>,
): EvaluationRequest => ({
  resourceId: target?.id ?? row.resourceId,
  holder: row,
  range,
  override,
  excludedIds: [row.id],
});

/** A move of locked bookings. */
interface Move {
  rows: MovableBooking[];
  /** The one of them that moves to `range`; the others move along. */
  selected: MovableBooking;
  /** The resource to which all move. Null if each keeps its own. */
  target: Target | null;
  range: TimeRange;
  override: boolean;
}

async function rescheduleOne(ctx: Context, { selected, ...move }: Move): Promise<void> {
  assertBeforeDeadline(ctx, selected);
  const request = toEvaluationRequest(selected, move);
  // Only those of the new times: the hours that the booking gives back are free for others once this has committed.
  const evaluation = await evaluateWithLockedMemberships(ctx, request, []);
  await assertNoViolations(ctx, request, evaluation);
  await saveReschedules(ctx, [[selected, evaluation]]);
}

async function rescheduleSeries(
  ctx: Context,
  { rows, selected, target, range, override }: Move,
): Promise<void> {
  const { timeZone } = selected.location;
  for (const row of rows) assertBeforeDeadline(ctx, row);
  const toLocal = (instant: number) => toZonedDateTime(instant, timeZone).toPlainDateTime();
  const shift = toLocal(selected.startsAt.getTime()).until(toLocal(range.start), {
    largestUnit: 'days',
  });
  const toDurationContext = (row: MovableBooking) => ({
    resource: target ?? row.resource,
    calendar: { timeZone },
  });
  const minutes = countBookingMinutes(toDurationContext(selected), range);
  const occurrences = rows.map((row): RequestedOccurrence => {
    const isSelected = row.id === selected.id;
    const localStart = isSelected
      ? toLocal(range.start)
      : toLocal(row.startsAt.getTime()).add(shift);
    const start = isSelected ? range.start : (findInstants(localStart, timeZone)[0] ?? null);
    return {
      resourceId: target?.id ?? row.resourceId,
      range:
        start === null
          ? null
          : { start, end: addBookingMinutes(toDurationContext(row), start, minutes) },
      localStart: localStart.toString({ smallestUnit: 'minute' }),
    };
  });
  const request: SeriesRequest = {
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
  const localDeadline = formatLongTime(deadline, row.location.timeZone);
  throw new DomainError(
    'VALIDATION',
    `The deadline to move this booking was ${localDeadline} (${formatTimeZone(row.location.timeZone)}). Ask at the front desk.`,
    { reason: 'DEADLINE_PASSED' },
  );
}

/** Staff and tokens keep the status. A move by a member needs approval again, as a new booking would. */
const chooseStatusAfterMove = (ctx: Context, { status }: MovableBooking, evaluation: Evaluation) =>
  canSeeAll(ctx.viewer, 'bookings:write') ? status : chooseInitialStatus(ctx, evaluation);

/** What was paid in one currency cannot be set off against a price in another. @throws CONFLICT (CURRENCY_MIXED) */
function assertSameCurrency(
  { paidAmount, priceCurrency }: MovableBooking,
  { quote: { price }, schedule: { resource } }: Evaluation,
): void {
  if (paidAmount === 0 || priceCurrency === price.currency) return;
  throw new DomainError(
    'CONFLICT',
    `This booking was paid in ${priceCurrency}, and ${resource.name} is priced in ${price.currency}. Cancel the booking and make a new one.`,
    { reason: 'CURRENCY_MIXED', fields: ['resourceId'] },
  );
}

async function saveReschedules(ctx: Context, moves: [MovableBooking, Evaluation][]): Promise<void> {
  const { db } = ctx;
  for (const [row, evaluation] of moves) assertSameCurrency(row, evaluation);
  const updatedAt = ctx.now();
  try {
    // Free all old slots first, since a booking can move to a slot that another booking of the series still occupies.
    if (moves.length > 1) {
      const ids = moves.map(([{ id }]) => id);
      await db.booking.updateMany({ where: { id: { in: ids } }, data: { status: 'cancelled' } });
    }
    for (const [row, evaluation] of moves) {
      const isInFuture = evaluation.requested.start > updatedAt.getTime();
      const status = chooseStatusAfterMove(ctx, row, evaluation);
      await db.booking.update({
        where: { id: row.id },
        data: {
          ...toBookingColumns(evaluation),
          // Approval and check-in apply to the old time and resource.
          status,
          checkedInAt: isInFuture || status === 'pending' ? null : row.checkedInAt,
          updatedAt,
        },
      });
    }
  } catch (error) {
    throw isExclusionViolation(error) ? slotTakenMeanwhile() : error;
  }
}
