import { addDays, toLocalDate } from '../../components/wall-clock.ts';
import { isOpenOn } from './day-range.ts';
import type { BookingLocation, LocationOption } from './queries.ts';

/** How far to look for an open day. */
const MAX_DAYS_AHEAD = 60;

/**
 * Picks the location to show first: the last one used, else one that is open today, else the one that opens soonest.
 * Locations without resources come last.
 */
export function findDefaultLocation(
  locations: [LocationOption, ...LocationOption[]],
  lastUsedId: string | null,
  now: Date,
): LocationOption {
  const lastUsed = locations.find(({ id }) => id === lastUsedId);
  if (lastUsed) return lastUsed;
  const candidates = locations
    .map((location) => ({
      location,
      daysAhead: Math.min(countDaysUntilOpen(location, now), MAX_DAYS_AHEAD + 1),
    }))
    .toSorted(
      (a, b) =>
        Number(b.location.hasResources) - Number(a.location.hasResources) ||
        a.daysAhead - b.daysAhead,
    );
  return candidates[0]?.location ?? locations[0];
}

/** Picks the day to show first: today if the location is open, else its next open day, else today. */
export function findDefaultDay(location: BookingLocation, now: Date): string {
  const daysAhead = countDaysUntilOpen(location, now);
  const today = toLocalDate(now, location.timeZone);
  return Number.isFinite(daysAhead) ? addDays(today, daysAhead) : today;
}

function countDaysUntilOpen(location: BookingLocation, now: Date): number {
  const today = toLocalDate(now, location.timeZone);
  for (let daysAhead = 0; daysAhead <= MAX_DAYS_AHEAD; daysAhead += 1) {
    if (isOpenOn(addDays(today, daysAhead), location)) return daysAhead;
  }
  return Number.POSITIVE_INFINITY;
}
