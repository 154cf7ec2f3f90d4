import { type Ctx, inTransaction } from '../../../context.ts';
import type { ErrorReason } from '../../../error-reasons.ts';
import { DomainError } from '../../../errors.ts';
import { type Location, location, lockLocation } from '../locations/service.ts';
import { clockTime, weekdayName } from './words.ts';

/** One span of a weekday by the location's wall clock. */
export interface OpeningHours {
  /** 1 is Monday, 7 is Sunday. */
  weekday: number;
  /** Since midnight. */
  opensMinute: number;
  /** At most 1440: until midnight and from midnight are one. */
  closesMinute: number;
}

/** By location, each through the week; a location that has none is always open. */
export async function openingHoursOf(
  { db }: Ctx,
  locationIds: string[],
): Promise<Map<string, OpeningHours[]>> {
  const rows = await db.openingHours.findMany({
    where: { locationId: { in: locationIds } },
    orderBy: [{ locationId: 'asc' }, { weekday: 'asc' }, { opensMinute: 'asc' }],
  });
  const found = new Map<string, OpeningHours[]>(locationIds.map((id) => [id, []]));
  for (const { locationId, weekday, opensMinute, closesMinute } of rows) {
    found.get(locationId)?.push({ weekday, opensMinute, closesMinute });
  }
  return found;
}

/**
 * Replaces the whole week; without any hours the location is always open. Bookings that are there already stay.
 * Throws NOT_FOUND, VALIDATION for hours that close before they open or overlap.
 */
export async function setOpeningHours(
  ctx: Ctx,
  locationId: string,
  hours: OpeningHours[],
): Promise<Location> {
  const week = hours.toSorted((a, b) => a.weekday - b.weekday || a.opensMinute - b.opensMinute);
  checkWeek(week);
  return inTransaction(ctx, async (ctx) => {
    await lockLocation(ctx, locationId); // of two weeks at once the later one holds
    await ctx.db.openingHours.deleteMany({ where: { locationId } });
    await ctx.db.openingHours.createMany({ data: week.map((span) => ({ ...span, locationId })) });
    return location(ctx, locationId);
  });
}

function checkWeek(week: OpeningHours[]): void {
  for (const span of week) {
    if (span.closesMinute <= span.opensMinute) {
      refuse(
        'CLOSES_BEFORE_OPENS',
        `${inWords(span)}: must close later on the same day. For a night, close at 24:00 and open the next day at 00:00.`,
      );
    }
  }
  for (const [index, span] of week.entries()) {
    const next = week[index + 1];
    if (next?.weekday === span.weekday && next.opensMinute < span.closesMinute) {
      refuse(
        'HOURS_OVERLAP',
        `${inWords(span)} and ${inWords(next)} overlap. Make them one, or leave a break between.`,
      );
    }
  }
}

const inWords = ({ weekday, opensMinute, closesMinute }: OpeningHours) =>
  `${weekdayName(weekday)} ${clockTime(opensMinute)} to ${clockTime(closesMinute)}`;

function refuse(reason: ErrorReason, message: string): never {
  throw new DomainError('VALIDATION', message, { reason });
}
