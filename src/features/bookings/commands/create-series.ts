import { type Context, runInTransaction } from '../../../context.ts';
import type { Money } from '../../../core/money.ts';
import { type Instant, toInstant } from '../../../core/time/instant.ts';
import { MINUTE_MS } from '../../../core/time/time-zone.ts';
import { isExclusionViolation } from '../../../db/constraint-errors.ts';
import type { Prisma } from '../../../db/generated/client.ts';
import { DomainError, RetryableConflict } from '../../../errors.ts';
import { publishDomainEvent } from '../../../integrations/webhooks/publish-event.ts';
import {
  authorizeOverride,
  type BookingInput,
  type Holder,
  isTooFarAway,
  resolveHolder,
  toBookingRange,
} from '../booking-input.ts';
import { getResourceSchedule } from '../evaluate-booking.ts';
import {
  evaluateSeries,
  type OccurrenceConflict,
  type SeriesRequest,
  throwSeriesConflicts,
} from '../evaluate-series.ts';
import { listSeriesBookings } from '../queries/list-bookings.ts';
import { expandSeriesRule, type RuleOccurrence } from '../rules/series-occurrences.ts';
import { addBookingMinutes, countBookingMinutes } from '../rules/slots.ts';
import type { Booking } from '../types.ts';
import { toBookingRow } from './create-booking.ts';

export interface SeriesInput extends BookingInput {
  /** RFC 5545 RRULE with an end, by the wall clock of the location. */
  rule: string;
  /** Starts that are left out. */
  exdates?: Date[] | undefined;
  /** What to do when some occurrences cannot be had: none at all, or all the others. */
  onConflict: 'reject' | 'skip';
}

export interface SeriesPreviewResult {
  occurrences: { startsAt: Instant; endsAt: Instant; price: Money }[];
  conflicts: OccurrenceConflict[];
}

export interface Series {
  id: string;
  rule: string;
  bookings: Booking[];
  conflicts: OccurrenceConflict[];
}

/** What `createSeries` would book and what not. Throws as it does for what can be no series at all. */
export async function previewBookingSeries(
  ctx: Context,
  input: SeriesInput,
): Promise<SeriesPreviewResult> {
  const { accepted, conflicts } = await evaluateSeries(ctx, await toSeriesRequest(ctx, input));
  return {
    conflicts,
    occurrences: accepted.map(({ requested, quote }) => ({
      startsAt: toInstant(new Date(requested.start)),
      endsAt: toInstant(new Date(requested.end)),
      price: quote.price,
    })),
  };
}

/**
 * Books every occurrence of a rule in one step. Throws CONFLICT, reason SERIES_CONFLICTS, with what speaks against
 * each occurrence that cannot be had, where any is and `onConflict` is reject, or where none can be had at all.
 */
export async function createBookingSeries(ctx: Context, input: SeriesInput): Promise<Series> {
  const request = await toSeriesRequest(ctx, input);
  const done = await runInTransaction(ctx, async (tx) => {
    const { accepted, conflicts } = await evaluateSeries(tx, request, { locking: true });
    if (accepted.length === 0 || (conflicts.length > 0 && input.onConflict === 'reject'))
      throwSeriesConflicts(conflicts, request.occurrences.length);
    const series = await tx.db.bookingSeries.create({
      data: {
        rule: input.rule,
        startsAt: input.startsAt,
        minutes: (+input.endsAt - +input.startsAt) / MINUTE_MS,
        createdAt: ctx.now(),
      },
    });
    const rows = accepted.map((one) => ({
      ...toBookingRow(tx, request.holder, one, input),
      seriesId: series.id,
    }));
    if (!(await tryInsertBookings(tx, rows))) throw new RetryableConflict();
    await publishDomainEvent(tx, 'booking.created', async () =>
      (await listSeriesBookings(tx, series.id)).map((booking) => ({ booking })),
    );
    return { id: series.id, rule: series.rule, conflicts };
  });
  return { ...done, bookings: await listSeriesBookings(ctx, done.id) };
}

/** False where something else has one of the slots by now. */
async function tryInsertBookings(
  { db }: Context,
  rows: Prisma.BookingCreateManyInput[],
): Promise<boolean> {
  try {
    const { count } = await db.booking.createMany({ data: rows, skipDuplicates: true });
    return count === rows.length;
  } catch (error) {
    // Told so of an event that was published meanwhile.
    if (isExclusionViolation(error)) return false;
    throw error;
  }
}

async function toSeriesRequest(
  ctx: Context,
  input: SeriesInput,
): Promise<SeriesRequest & { holder: Holder }> {
  const holder = resolveHolder(ctx.viewer, input);
  const override = authorizeOverride(ctx.viewer, input.override);
  const first = toBookingRange(input, ctx.now());
  const ground = await getResourceSchedule(ctx, input.resourceId, first);
  const minutes = countBookingMinutes(ground, first);
  const meant = expandSeriesRule(input.rule, first.start, ground.calendar.timeZone);
  assertWithinReach(ctx, meant);
  const occurrences = excludeDates(meant, input.exdates ?? []).map(({ instant, wall }) => ({
    span:
      instant === null
        ? null
        : { start: instant, end: addBookingMinutes(ground, instant, minutes) },
    wall: wall.toString({ smallestUnit: 'minute' }),
  }));
  return { resourceId: input.resourceId, holder, override, occurrences };
}

/** Throws VALIDATION for a start to leave out that the rule does not mean: it would be booked after all. */
function excludeDates(meant: RuleOccurrence[], exdates: Date[]): RuleOccurrence[] {
  const starts = new Set(meant.map(({ instant }) => instant));
  const unknown = exdates.find((date) => !starts.has(date.getTime()));
  if (unknown) {
    const message = `The series has nothing at ${unknown.toISOString()} to leave out. Give the exact start.`;
    throw new DomainError('VALIDATION', message, { reason: 'EXDATE_UNKNOWN' });
  }
  const excluded = new Set(exdates.map((date) => date.getTime()));
  const left = meant.filter(({ instant }) => instant === null || !excluded.has(instant));
  if (left.some(({ instant }) => instant !== null)) return left;
  throw new DomainError('VALIDATION', 'Nothing is left of the series. Check what is left out.', {
    reason: 'SERIES_EMPTY',
  });
}

function assertWithinReach({ now }: Context, meant: RuleOccurrence[]): void {
  const far = ({ instant }: RuleOccurrence) =>
    instant !== null && isTooFarAway({ start: instant, end: instant }, now());
  if (!meant.some(far)) return;
  throw new DomainError(
    'VALIDATION',
    'The series goes on for more than ten years. Choose a nearer end.',
    { reason: 'SERIES_TOO_LONG' },
  );
}
