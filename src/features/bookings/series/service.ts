import { type Ctx, inTransaction } from '../../../context.ts';
import type { Prisma } from '../../../db/generated/client.ts';
import { isExclusion } from '../../../db/refusals.ts';
import { DomainError, Overtaken } from '../../../errors.ts';
import { type Instant, instantOf, type Money } from '../../../values.ts';
import { emit } from '../../webhooks/emit.ts';
import type { Booking } from '../booking.ts';
import { rowOf } from '../create.ts';
import { groundOf } from '../decisions/consider.ts';
import {
  type BookingInput,
  type Holder,
  holderOf,
  isOutOfReach,
  mayOverride,
  spanOf,
} from '../decisions/request.ts';
import { type Conflict, decide, refuseConflicts, type Several } from '../decisions/several.ts';
import { endAfter, lengthOf } from '../policy/length.ts';
import { MINUTE } from '../policy/span.ts';
import { ofSeries } from '../service.ts';
import { type Occurrence, occurrencesOf } from './occurrences.ts';

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
    if (!(await inserted(tx, rows))) throw new Overtaken();
    await emit(tx, 'booking.created', async () =>
      (await ofSeries(tx, series.id)).map((booking) => ({ booking })),
    );
    return { id: series.id, rule: series.rule, conflicts };
  });
  return { ...done, bookings: await ofSeries(ctx, done.id) };
}

/** False where something else has one of the slots by now. */
async function inserted({ db }: Ctx, rows: Prisma.BookingCreateManyInput[]): Promise<boolean> {
  try {
    const { count } = await db.booking.createMany({ data: rows, skipDuplicates: true });
    return count === rows.length;
  } catch (error) {
    // Told so of an event that was published meanwhile.
    if (isExclusion(error)) return false;
    throw error;
  }
}

async function requestOf(ctx: Ctx, input: SeriesInput): Promise<Several & { holder: Holder }> {
  const holder = holderOf(ctx.viewer, input);
  const override = mayOverride(ctx.viewer, input.override);
  const first = spanOf(input, ctx.now());
  const ground = await groundOf(ctx, input.resourceId, first);
  const minutes = lengthOf(ground, first);
  const meant = occurrencesOf(input.rule, first.start, ground.calendar.timeZone);
  refuseFar(ctx, meant);
  const occurrences = without(meant, input.exdates ?? []).map(({ instant, wall }) => ({
    span: instant === null ? null : { start: instant, end: endAfter(ground, instant, minutes) },
    wall: wall.toString({ smallestUnit: 'minute' }),
  }));
  return { resourceId: input.resourceId, holder, override, occurrences };
}

/** Throws VALIDATION for a start to leave out that the rule does not mean: it would be booked after all. */
function without(meant: Occurrence[], exdates: Date[]): Occurrence[] {
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

function refuseFar({ now }: Ctx, meant: Occurrence[]): void {
  const far = ({ instant }: Occurrence) =>
    instant !== null && isOutOfReach({ start: instant, end: instant }, now());
  if (!meant.some(far)) return;
  throw new DomainError(
    'VALIDATION',
    'The series goes on for more than ten years. Choose a nearer end.',
    { reason: 'SERIES_TOO_LONG' },
  );
}
