import type { Context } from '../../context.ts';
import { findOpenRanges, type OpeningCalendar } from '../../core/time/opening-hours.ts';
import { containsRange, type TimeRange } from '../../core/time/time-range.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import { createTurnLimit } from '../../core/turn-limit.ts';
import type { InputOf } from '../../core/validation.ts';
import { getLocation } from '../spaces/service/locations.ts';
import { assertValidWeek, findOpeningHoursByLocation } from '../spaces/service/opening-hours.ts';
import type { setOpeningHoursInput } from '../spaces/types.ts';

/** Bookings that are not within some opening hours. */
export interface BookingsOutsideHours {
  /** Those within the present opening hours. */
  count: number;
  /** Those outside the present opening hours too. */
  alreadyOutsideCount: number;
  /** Of the first that are within the present opening hours, by start. */
  firstIds: string[];
}

/** How many of the bookings are listed. The others are only counted. */
export const MAX_LISTED_BOOKINGS = 20;
const PAGE_SIZE = 1_000;
const MAX_TURN_MS = 10;

/**
 * Finds the pending and confirmed bookings of a location that are not over and would be outside these opening hours, for people who
 * are about to set them. Ignores closures, which have counts of their own. Staff can book outside the opening hours: bookings that are
 * outside the present ones as well are only counted.
 *
 * @throws NOT_FOUND; VALIDATION as `setOpeningHours`
 *
 * @example
 * await findBookingsOutsideHours(ctx, { locationId, hours: [{ weekday: 1, opensMinute: 9 * 60, closesMinute: 18 * 60 }] });
 */
export async function findBookingsOutsideHours(
  ctx: Context,
  { locationId, hours }: InputOf<typeof setOpeningHoursInput>,
): Promise<BookingsOutsideHours> {
  assertValidWeek(hours);
  const { id, timeZone } = await getLocation(ctx, locationId);
  const present = (await findOpeningHoursByLocation(ctx, [id])).get(id) ?? [];
  const isWithinNext = createCheck({ timeZone, hours, closures: [] });
  const isWithinPresent = createCheck({ timeZone, hours: present, closures: [] });
  const pause = createTurnLimit(MAX_TURN_MS);
  const found: BookingsOutsideHours = { count: 0, alreadyOutsideCount: 0, firstIds: [] };
  for await (const { id: bookingId, range } of readBookings(ctx, id)) {
    await pause();
    if (isWithinNext(range)) continue;
    if (!isWithinPresent(range)) {
      found.alreadyOutsideCount += 1;
      continue;
    }
    found.count += 1;
    if (found.firstIds.length < MAX_LISTED_BOOKINGS) found.firstIds.push(bookingId);
  }
  return found;
}

/** Reads the bookings that are not over by start, a page at a time. */
async function* readBookings(ctx: Context, locationId: string): AsyncGenerator<FoundBooking> {
  const now = ctx.now();
  yield* await readRunningBookings(ctx, locationId, now);
  let last = { starts: now, id: NO_ID };
  for (;;) {
    const { starts, id } = last;
    const page = await ctx.db.$queryRaw<FoundRow[]>`
      SELECT b.id, b.starts_at AS starts, b.ends_at AS ends FROM bookings b
      WHERE b.location_id = ${locationId}::uuid AND b.status IN ('pending', 'confirmed')
        AND (b.starts_at, b.id) > (${starts}::timestamptz, ${id}::uuid)
      ORDER BY b.starts_at, b.id LIMIT ${PAGE_SIZE}`;
    yield* page.map(toFoundBooking);
    const end = page.at(-1);
    if (end === undefined || page.length < PAGE_SIZE) return;
    last = end;
  }
}

/** Reads the bookings that have begun, of which a location has few, from the range index. Their starts would lead through the whole history. */
async function readRunningBookings(
  { db }: Context,
  locationId: string,
  at: Date,
): Promise<FoundBooking[]> {
  const rows = await db.$queryRaw<FoundRow[]>`
    SELECT b.id, b.starts_at AS starts, b.ends_at AS ends
    FROM (SELECT * FROM bookings WHERE tstzrange(starts_at, ends_at) @> ${at}::timestamptz OFFSET 0) b
    WHERE b.location_id = ${locationId}::uuid AND b.status IN ('pending', 'confirmed') AND b.starts_at < ${at}::timestamptz
    ORDER BY b.starts_at, b.id`;
  return rows.map(toFoundBooking);
}

/** Before all ids. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

interface FoundBooking {
  id: string;
  range: TimeRange;
}

interface FoundRow {
  id: string;
  starts: Date;
  ends: Date;
}

const toFoundBooking = ({ id, starts, ends }: FoundRow): FoundBooking => ({
  id,
  range: { start: starts.getTime(), end: ends.getTime() },
});

const STEP_MS = 28 * DAY_MS;

/**
 * Returns whether the location is open during a whole range. The ranges must be in the order of their starts, so that the opening hours
 * of each day are computed once.
 */
function createCheck(calendar: OpeningCalendar): (range: TimeRange) => boolean {
  let open: TimeRange[] = [];
  let known = { start: 0, end: 0 };
  return (range) => {
    if (range.start < known.start || range.end > known.end) {
      known = { start: range.start, end: Math.max(range.end, range.start + STEP_MS) };
      open = findOpenRanges(calendar, known);
    }
    // Later ranges start later, so they need nothing that ends before.
    while (open[0] !== undefined && open[0].end <= range.start) open.shift();
    return open[0] !== undefined && containsRange(open[0], range);
  };
}
