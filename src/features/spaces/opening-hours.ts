import { type Context, runInTransaction } from '../../context.ts';
import type { ErrorReason } from '../../core/error-reasons.ts';
import { isUuid } from '../../core/ids.ts';
import {
  type CalendarDate,
  parseDateColumn,
  toDateColumn,
  toInstantBounds,
} from '../../core/time/calendar-date.ts';
import { formatClockTime, formatWeekday } from '../../core/time/format.ts';
import type { Closure as Row } from '../../db/generated/client.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../errors.ts';
import { getLocation, type Location, lockLocation } from './locations.ts';

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
export async function findOpeningHoursByLocation(
  { db }: Context,
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
  ctx: Context,
  locationId: string,
  hours: OpeningHours[],
): Promise<Location> {
  const week = hours.toSorted((a, b) => a.weekday - b.weekday || a.opensMinute - b.opensMinute);
  assertValidWeek(week);
  return runInTransaction(ctx, async (ctx) => {
    await lockLocation(ctx, locationId); // of two weeks at once the later one holds
    await ctx.db.openingHours.deleteMany({ where: { locationId } });
    await ctx.db.openingHours.createMany({ data: week.map((span) => ({ ...span, locationId })) });
    return getLocation(ctx, locationId);
  });
}

function assertValidWeek(week: OpeningHours[]): void {
  for (const span of week) {
    if (span.closesMinute <= span.opensMinute) {
      rejectWeek(
        'CLOSES_BEFORE_OPENS',
        `${formatHoursEntry(span)}: must close later on the same day. For a night, close at 24:00 and open the next day at 00:00.`,
      );
    }
  }
  for (const [index, span] of week.entries()) {
    const next = week[index + 1];
    if (next?.weekday === span.weekday && next.opensMinute < span.closesMinute) {
      rejectWeek(
        'HOURS_OVERLAP',
        `${formatHoursEntry(span)} and ${formatHoursEntry(next)} overlap. Make them one, or leave a break between.`,
      );
    }
  }
}

const formatHoursEntry = ({ weekday, opensMinute, closesMinute }: OpeningHours) =>
  `${formatWeekday(weekday)} ${formatClockTime(opensMinute)} to ${formatClockTime(closesMinute)}`;

function rejectWeek(reason: ErrorReason, message: string): never {
  throw new DomainError('VALIDATION', message, { reason });
}

/** Days on which a location is shut, by its wall clock, the last one included. */
export interface Closure {
  id: string;
  startsOn: CalendarDate;
  endsOn: CalendarDate;
  reason: string | null;
  location: { id: string; name: string; timeZone: string };
}

const CLOSURE_SELECTION = {
  include: { location: { select: { id: true, name: true, timeZone: true } } },
} as const;

/** By location, the soonest first; those that were over before `from` are left out. */
export async function findClosuresByLocation(
  { db }: Context,
  locationIds: string[],
  from: CalendarDate | null,
): Promise<Map<string, Closure[]>> {
  const rows = await db.closure.findMany({
    ...CLOSURE_SELECTION,
    where: {
      locationId: { in: locationIds },
      ...(from && { endsOn: { gte: toDateColumn(from) } }),
    },
    orderBy: [{ startsOn: 'asc' }, { id: 'asc' }],
  });
  const found = new Map<string, Closure[]>(locationIds.map((id) => [id, []]));
  for (const row of rows) found.get(row.locationId)?.push(toClosure(row));
  return found;
}

/** Cancels nothing by itself: see `bookingsWithin`. Throws NOT_FOUND for the location, VALIDATION when it ends before it starts. */
export async function createClosure(
  ctx: Context,
  input: {
    locationId: string;
    startsOn: CalendarDate;
    endsOn: CalendarDate;
    reason?: string | undefined;
  },
): Promise<Closure> {
  if (input.endsOn < input.startsOn) {
    throw new DomainError('VALIDATION', 'endsOn: must not lie before startsOn.', {
      reason: 'ENDS_BEFORE_START',
    });
  }
  await getLocation(ctx, input.locationId);
  const { startsOn, endsOn } = input;
  return toClosure(
    await ctx.db.closure.create({
      ...CLOSURE_SELECTION,
      data: {
        locationId: input.locationId,
        startsOn: toDateColumn(startsOn),
        endsOn: toDateColumn(endsOn),
        reason: input.reason ?? null,
        createdAt: ctx.now(),
      },
    }),
  );
}

/** Answers with what it was. Throws NOT_FOUND. */
export async function deleteClosure({ db }: Context, id: string): Promise<Closure> {
  const row = isUuid(id)
    ? await db.closure.findUnique({ ...CLOSURE_SELECTION, where: { id } })
    : null;
  const { count } = row === null ? { count: 0 } : await db.closure.deleteMany({ where: { id } });
  if (row === null || count === 0) throw notFound('closure');
  return toClosure(row);
}

const COUNT_BOOKINGS_IN_CLOSURES = prepareStatement(`
  SELECT span.closure_id AS id, count(b.id)::int AS bookings
  FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[]) span (closure_id, location_id, starts, ends)
  JOIN bookings b ON b.location_id = span.location_id AND b.status IN ('pending', 'confirmed')
    AND tstzrange(b.starts_at, b.ends_at) && tstzrange(span.starts, span.ends)
  GROUP BY span.closure_id`);

/** How many pending and confirmed bookings lie in each of these closures, even if only in part; by the closure's id. */
export async function countBookingsInClosures(
  { pipelinedSql }: Context,
  closures: readonly Closure[],
): Promise<Map<string, number>> {
  const spans = closures.map(({ startsOn, endsOn, location }) =>
    toInstantBounds(startsOn, endsOn, location.timeZone),
  );
  const rows = await pipelinedSql<{ id: string; bookings: number }>(COUNT_BOOKINGS_IN_CLOSURES, [
    closures.map(({ id }) => id),
    closures.map(({ location }) => location.id),
    spans.map(({ from }) => from.toISOString()),
    spans.map(({ to }) => to.toISOString()),
  ]);
  return new Map(rows.map(({ id, bookings }) => [id, bookings]));
}

const toClosure = ({
  id,
  startsOn,
  endsOn,
  reason,
  location,
}: Row & Pick<Closure, 'location'>): Closure => ({
  id,
  startsOn: parseDateColumn(startsOn),
  endsOn: parseDateColumn(endsOn),
  reason,
  location,
});
