import type { Context } from '../../context.ts';
import { findOpenRanges, type OpeningCalendar } from '../../core/time/opening-hours.ts';
import { containsRange } from '../../core/time/time-range.ts';
import { createTurnLimit } from '../../core/turn-limit.ts';
import type { InputOf } from '../../core/validation.ts';
import { getLocation } from '../spaces/service/locations.ts';
import { assertValidWeek } from '../spaces/service/opening-hours.ts';
import type { setOpeningHoursInput } from '../spaces/types.ts';

/** Bookings that are not within some opening hours. */
export interface BookingsOutsideHours {
  count: number;
  /** Of the first of them, by start. */
  firstIds: string[];
}

/** How many of the bookings are listed. The others are only counted. */
export const MAX_LISTED_BOOKINGS = 20;
const MAX_TURN_MS = 10;

/**
 * Finds the pending and confirmed bookings of a location that are not over and would be outside these opening hours, for people who
 * are about to set them. Ignores closures, which have counts of their own. Staff can book outside the opening hours, so that some of
 * these bookings may be outside the present ones as well.
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
  const calendar: OpeningCalendar = { timeZone, hours, closures: [] };
  const bookings = await ctx.db.$queryRaw<{ id: string; starts: Date; ends: Date }[]>`
    SELECT b.id, b.starts_at AS starts, b.ends_at AS ends FROM bookings b
    WHERE b.location_id = ${id}::uuid AND b.status IN ('pending', 'confirmed')
      AND tstzrange(b.starts_at, b.ends_at) && tstzrange(${ctx.now()}, NULL)
    ORDER BY b.starts_at, b.id`;
  const pause = createTurnLimit(MAX_TURN_MS);
  const found: BookingsOutsideHours = { count: 0, firstIds: [] };
  for (const { id, starts, ends } of bookings) {
    await pause();
    const range = { start: starts.getTime(), end: ends.getTime() };
    if (findOpenRanges(calendar, range).some((open) => containsRange(open, range))) continue;
    found.count += 1;
    if (found.firstIds.length < MAX_LISTED_BOOKINGS) found.firstIds.push(id);
  }
  return found;
}
