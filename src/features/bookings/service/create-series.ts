import { type Context, runInTransaction } from '../../../context.ts';
import type { Money } from '../../../core/money.ts';
import { type Instant, toInstant } from '../../../core/time/time-zone.ts';
import type { InputOf } from '../../../core/validation.ts';
import { isExclusionViolation } from '../../../db/constraint-errors.ts';
import type { Prisma } from '../../../db/generated/client.ts';
import { DomainError } from '../../../errors.ts';
import { recordCreated } from '../../../journal/record-changes.ts';
import { getResourceSchedule } from '../evaluate-booking.ts';
import {
  evaluateSeries,
  type OccurrenceConflict,
  type SeriesRequest,
  throwSeriesConflicts,
} from '../evaluate-series.ts';
import {
  authorizeOverride,
  type Holder,
  isTooFarAway,
  resolveHolder,
  toBookingRange,
} from '../holder-and-times.ts';
import type { createBookingSeriesInput } from '../inputs.ts';
import { toBookingRow } from '../insert-booking.ts';
import { expandSeriesRule, type RuleOccurrence } from '../rules/series-occurrences.ts';
import { addBookingMinutes, countBookingMinutes } from '../rules/slots.ts';
import { type Booking, slotTakenMeanwhile } from '../types.ts';
import { listSeriesBookings } from './list-bookings.ts';

type SeriesInput = InputOf<typeof createBookingSeriesInput>;

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

/**
 * Returns which occurrences `createBookingSeries` would book, and the conflicts of the others.
 *
 * @throws VALIDATION, NOT_FOUND and FORBIDDEN as `createBookingSeries` does for invalid input
 */
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
 * Books the occurrences of a rule in one transaction.
 *
 * @throws CONFLICT, reason SERIES_CONFLICTS, with the reasons for each unavailable occurrence, when none is available
 *   or `onConflict` is `reject`; VALIDATION for the rule; NOT_FOUND for the resource or member
 *
 * @example
 * const series = await createBookingSeries(ctx, {
 *   ...{ resourceId, memberId, startsAt, endsAt },
 *   rule: 'FREQ=WEEKLY;COUNT=10',
 *   onConflict: 'skip',
 * });
 */
export async function createBookingSeries(ctx: Context, input: SeriesInput): Promise<Series> {
  const request = await toSeriesRequest(ctx, input);
  const created = await runInTransaction(ctx, async (tx) => {
    const { accepted, conflicts } = await evaluateSeries(tx, request, { locking: true });
    if (accepted.length === 0 || (conflicts.length > 0 && input.onConflict === 'reject'))
      throwSeriesConflicts(conflicts, request.occurrences.length);
    const series = await tx.db.bookingSeries.create({
      data: {
        rule: input.rule,
        startsAt: input.startsAt,
        minutes: request.minutes,
        createdAt: ctx.now(),
      },
    });
    const rows = accepted.map((evaluation) => ({
      ...toBookingRow(tx, request.holder, evaluation, input),
      seriesId: series.id,
    }));
    if (!(await tryInsertBookings(tx, rows))) throw slotTakenMeanwhile();
    await recordCreated(
      tx,
      'booking.created',
      rows.map(({ id }) => id),
    );
    return { id: series.id, rule: series.rule, conflicts };
  });
  return { ...created, bookings: await listSeriesBookings(ctx, created.id) };
}

/** Inserts all rows, or returns false if one of the slots is no longer free. */
async function tryInsertBookings(
  { db }: Context,
  rows: Prisma.BookingCreateManyInput[],
): Promise<boolean> {
  try {
    const { count } = await db.booking.createMany({ data: rows, skipDuplicates: true });
    return count === rows.length;
  } catch (error) {
    // An event was published in the meantime.
    if (isExclusionViolation(error)) return false;
    throw error;
  }
}

async function toSeriesRequest(
  ctx: Context,
  input: SeriesInput,
): Promise<SeriesRequest & { holder: Holder; minutes: number }> {
  const holder = resolveHolder(ctx.viewer, input);
  const override = authorizeOverride(ctx.viewer, input.override);
  const first = toBookingRange(input, ctx.now());
  const schedule = await getResourceSchedule(ctx, input.resourceId, first);
  const minutes = countBookingMinutes(schedule, first);
  const starts = expandSeriesRule(input.rule, first.start, schedule.calendar.timeZone);
  assertWithinReach(ctx, starts);
  const occurrences = excludeDates(starts, input.exdates ?? []).map(({ instant, localStart }) => ({
    resourceId: input.resourceId,
    range:
      instant === null
        ? null
        : { start: instant, end: addBookingMinutes(schedule, instant, minutes) },
    localStart: localStart.toString({ smallestUnit: 'minute' }),
  }));
  return { holder, override, occurrences, minutes };
}

/** Removes dates from a series. @throws VALIDATION for a date that is not in the series, since a typo would book that day */
function excludeDates(occurrences: RuleOccurrence[], exdates: Date[]): RuleOccurrence[] {
  const instants = new Set(occurrences.map(({ instant }) => instant));
  const unknown = exdates.find((date) => !instants.has(date.getTime()));
  if (unknown) {
    const message = `The series has no occurrence at ${unknown.toISOString()}. Enter the exact start of the occurrence to skip.`;
    throw new DomainError('VALIDATION', message, { reason: 'EXDATE_UNKNOWN', fields: ['exdates'] });
  }
  const excluded = new Set(exdates.map((date) => date.getTime()));
  const remaining = occurrences.filter(({ instant }) => instant === null || !excluded.has(instant));
  if (remaining.some(({ instant }) => instant !== null)) return remaining;
  throw new DomainError('VALIDATION', 'The series has no occurrences left. Exclude fewer dates.', {
    reason: 'SERIES_EMPTY',
    fields: ['exdates'],
  });
}

function assertWithinReach({ now }: Context, occurrences: RuleOccurrence[]): void {
  const isFar = ({ instant }: RuleOccurrence) =>
    instant !== null && isTooFarAway({ start: instant, end: instant }, now());
  if (!occurrences.some(isFar)) return;
  throw new DomainError(
    'VALIDATION',
    'The series has bookings more than ten years from now. Choose an earlier end.',
    { reason: 'SERIES_TOO_LONG', fields: ['rule'] },
  );
}
