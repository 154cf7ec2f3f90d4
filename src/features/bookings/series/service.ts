import { type Ctx, inTransaction } from '../../../context.ts';
import { DomainError, Overtaken } from '../../../errors.ts';
import { type Instant, instantOf, type Money } from '../../../values.ts';
import type { Booking } from '../booking.ts';
import { rowOf } from '../create.ts';
import { groundOf } from '../decisions/consider.ts';
import {
  type BookingInput,
  type Holder,
  holderOf,
  mayOverride,
  spanOf,
} from '../decisions/request.ts';
import { type Conflict, decide, refuseConflicts, type Several } from '../decisions/several.ts';
import { MINUTE } from '../policy/span.ts';
import { ofSeries } from '../service.ts';
import { occurrencesOf } from './occurrences.ts';

export interface SeriesInput extends BookingInput {
  /** RFC 5545 RRULE with an end, by the wall clock of the location. */
  rule: string;
  /** Starts that are left out. */
  exdates?: Date[] | undefined;
  /** What to do when some occurrences cannot be had: none at all, or all the others. */
  onConflict: 'reject' | 'skip';
}

export interface SeriesPlan {
  occurrences: { startsAt: Instant; endsAt: Instant; price: Money }[];
  conflicts: Conflict[];
}

export interface Series {
  id: string;
  rule: string;
  bookings: Booking[];
  conflicts: Conflict[];
}

/** What `createSeries` would book and what not. Throws as it does for what can be no series at all. */
export async function previewSeries(ctx: Ctx, input: SeriesInput): Promise<SeriesPlan> {
  const { admitted, conflicts } = await decide(ctx, await requestOf(ctx, input));
  return {
    conflicts,
    occurrences: admitted.map(({ wish, quote }) => ({
      startsAt: instantOf(new Date(wish.start)),
      endsAt: instantOf(new Date(wish.end)),
      price: quote.price,
    })),
  };
}

/**
 * Books every occurrence of a rule in one step. Throws CONFLICT, reason SERIES_CONFLICTS, with what speaks against
 * each occurrence that cannot be had, where any is and `onConflict` is reject, or where none can be had at all.
 */
export async function createSeries(ctx: Ctx, input: SeriesInput): Promise<Series> {
  const request = await requestOf(ctx, input);
  const done = await inTransaction(ctx, async (tx) => {
    const { admitted, conflicts } = await decide(tx, request, { locking: true });
    if (admitted.length === 0 || (conflicts.length > 0 && input.onConflict === 'reject'))
      refuseConflicts(conflicts, request.occurrences.length);
    const series = await tx.db.bookingSeries.create({
      data: {
        rule: input.rule,
        startsAt: input.startsAt,
        minutes: (+input.endsAt - +input.startsAt) / MINUTE,
        createdAt: ctx.now(),
      },
    });
    const rows = admitted.map((one) => ({
      ...rowOf(tx, request.holder, one, input),
      seriesId: series.id,
    }));
    const { count } = await tx.db.booking.createMany({ data: rows, skipDuplicates: true });
    if (count !== rows.length) throw new Overtaken();
    return { id: series.id, rule: series.rule, conflicts };
  });
  return { ...done, bookings: await ofSeries(ctx, done.id) };
}

async function requestOf(ctx: Ctx, input: SeriesInput): Promise<Several & { holder: Holder }> {
  const holder = holderOf(ctx.viewer, input);
  const override = mayOverride(ctx.viewer, input.override);
  const first = spanOf(input, ctx.now());
  const { calendar } = await groundOf(ctx, input.resourceId, first);
  const excluded = new Set(input.exdates?.map((date) => date.getTime()));
  const length = first.end - first.start;
  const occurrences = occurrencesOf(input.rule, first.start, calendar.timeZone)
    .filter(({ instant }) => instant === null || !excluded.has(instant))
    .map(({ instant, wall }) => ({
      span: instant === null ? null : { start: instant, end: instant + length },
      wall: wall.toString({ smallestUnit: 'minute' }),
    }));
  if (occurrences.every(({ span }) => span === null)) {
    throw new DomainError('VALIDATION', 'Nothing is left of the series. Check what is left out.', {
      reason: 'SERIES_EMPTY',
    });
  }
  return { resourceId: input.resourceId, holder, override, occurrences };
}
