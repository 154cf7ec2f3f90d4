import { type Context, runInTransaction } from '../../../context.ts';
import type { ErrorReason } from '../../../core/error-reasons.ts';
import { isUuid } from '../../../core/ids.ts';
import {
  type CalendarDate,
  parseDateColumn,
  toDateColumn,
  toInstantBounds,
} from '../../../core/time/calendar-date.ts';
import { formatClockTime, formatWeekday } from '../../../core/time/format.ts';
import type { InputOf } from '../../../core/validation.ts';
import type {
  OpeningHours as HoursRow,
  Location,
  Closure as Row,
} from '../../../db/generated/client.ts';
import { type Projection, projectRow } from '../../../db/json-projection.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { recordCreated, recordDeleted, recordUpdated } from '../../../journal/record-changes.ts';
import { projectFields } from '../../../rows/projection.ts';
import type { createClosureInput } from '../inputs.ts';
import { closureRow } from '../rows.ts';
import { toLocationProjection } from '../types.ts';
import { getLocation } from './locations.ts';

/** One opening period on a weekday, in the location's time zone. 1 is Monday. The end of a day is minute 1440. */
export type OpeningHours = Pick<HoursRow, 'weekday' | 'opensMinute' | 'closesMinute'>;

/** Finds opening hours by location id, sorted by weekday and time. A location without any is always open. */
export async function findOpeningHoursByLocation(
  { db }: Context,
  locationIds: string[],
): Promise<Map<string, OpeningHours[]>> {
  const rows = await db.openingHours.findMany({
    where: { locationId: { in: locationIds } },
    orderBy: [{ locationId: 'asc' }, { weekday: 'asc' }, { opensMinute: 'asc' }],
  });
  const hoursByLocation = new Map<string, OpeningHours[]>(locationIds.map((id) => [id, []]));
  for (const { locationId, weekday, opensMinute, closesMinute } of rows) {
    hoursByLocation.get(locationId)?.push({ weekday, opensMinute, closesMinute });
  }
  return hoursByLocation;
}

/** Projects an opening period as GraphQL shows it. */
export const toOpeningHoursProjection = (row: string): Projection => ({
  weekday: `${row}.weekday`,
  opens: toClockTimeSql(`${row}.opens_minute`),
  closes: toClockTimeSql(`${row}.closes_minute`),
});

/** Formats minutes since midnight as `formatClockTime` does. */
const toClockTimeSql = (minutes: string) => `to_char(make_interval(mins => ${minutes}), 'HH24:MI')`;

/**
 * SQL of the JSON list of `OpeningTime`s of a location on a date: empty if it is closed, null if it has no opening hours and so is
 * always open.
 */
export const toOpeningTimesSql = (locationId: string, date: string): string => `(
  SELECT CASE
    WHEN EXISTS (SELECT FROM closures c WHERE c.location_id = ${locationId} AND ${date} BETWEEN c.starts_on AND c.ends_on) THEN '[]'::json
    WHEN count(h.id) = 0 THEN NULL
    ELSE coalesce(json_agg(json_build_object('opens', ${toClockTimeSql('h.opens_minute')}, 'closes', ${toClockTimeSql('h.closes_minute')})
      ORDER BY h.opens_minute) FILTER (WHERE h.weekday = extract(isodow FROM ${date})), '[]'::json) END
  FROM opening_hours h WHERE h.location_id = ${locationId})`;

/**
 * Replaces the opening hours of the whole week. A location without opening hours is always open. Existing bookings stay.
 *
 * @throws NOT_FOUND, VALIDATION for hours that overlap or close before they open
 *
 * @example
 * await setOpeningHours(ctx, locationId, [{ weekday: 1, opensMinute: 9 * 60, closesMinute: 18 * 60 }]);
 */
export async function setOpeningHours(
  ctx: Context,
  locationId: string,
  hours: OpeningHours[],
): Promise<Location> {
  assertValidWeek(hours);
  return runInTransaction(ctx, async (ctx) => {
    await getLocation(ctx, locationId);
    // This locks the location, so that two concurrent calls cannot mix their weeks.
    return recordUpdated(ctx, 'opening_hours.updated', [locationId], async () => {
      await ctx.db.openingHours.deleteMany({ where: { locationId } });
      const data = hours.map((hours) => ({ ...hours, locationId }));
      await ctx.db.openingHours.createMany({ data });
      // Its version includes the hours.
      return ctx.db.location.update({ where: { id: locationId }, data: { updatedAt: ctx.now() } });
    });
  });
}

/** @throws VALIDATION for hours that overlap or close before they open */
export function assertValidWeek(hours: OpeningHours[]): void {
  const week = hours.toSorted((a, b) => a.weekday - b.weekday || a.opensMinute - b.opensMinute);
  for (const hours of week) {
    if (hours.closesMinute <= hours.opensMinute) {
      rejectWeek(
        'CLOSES_BEFORE_OPENS',
        `${formatHoursEntry(hours)}: closing time must be after opening time. To stay open past midnight, close at 24:00 and open the next day at 00:00.`,
      );
    }
  }
  for (const [index, hours] of week.entries()) {
    const next = week[index + 1];
    if (next?.weekday === hours.weekday && next.opensMinute < hours.closesMinute) {
      rejectWeek(
        'HOURS_OVERLAP',
        `${formatHoursEntry(hours)} and ${formatHoursEntry(next)} overlap. Merge them or leave a break between them.`,
      );
    }
  }
}

const formatHoursEntry = ({ weekday, opensMinute, closesMinute }: OpeningHours) =>
  `${formatWeekday(weekday)} ${formatClockTime(opensMinute)} to ${formatClockTime(closesMinute)}`;

function rejectWeek(reason: ErrorReason, message: string): never {
  throw new DomainError('VALIDATION', message, { reason, fields: ['hours'] });
}

/** Days on which a location is closed, in its time zone, including the last one. */
export type Closure = Omit<
  Row,
  'locationId' | 'startsOn' | 'endsOn' | 'announcement' | 'createdAt'
> & {
  startsOn: CalendarDate;
  endsOn: CalendarDate;
  location: { id: string; name: string; timeZone: string };
};

/** Projects a closure. */
export const toClosureProjection = (row: string): Projection => ({
  ...projectFields(closureRow, row),
  location: projectRow('locations', `${row}.location_id`, toLocationProjection),
});

const CLOSURE_SELECTION = {
  include: { location: { select: { id: true, name: true, timeZone: true } } },
} as const;

/** Finds the closures that end on or after `from`, by location id, sorted by start. */
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
  const closuresByLocation = new Map<string, Closure[]>(locationIds.map((id) => [id, []]));
  for (const row of rows) closuresByLocation.get(row.locationId)?.push(toClosure(row));
  return closuresByLocation;
}

/** The closures that the viewer can read. */
export const closureRows = {
  table: 'closures',
  where: () => [],
  findByIds: async ({ db }: Context, ids: string[]): Promise<Closure[]> =>
    (await db.closure.findMany({ ...CLOSURE_SELECTION, where: { id: { in: ids } } })).map(
      toClosure,
    ),
};

/**
 * Closes a location for some days. Existing bookings stay. `countBookingsInClosures` counts them, and `announceClosure` emails
 * their holders.
 *
 * @throws NOT_FOUND for the location, VALIDATION if the closure ends before it starts
 *
 * @example
 * await createClosure(ctx, { locationId, startsOn: '2026-12-24', endsOn: '2026-12-26', reason: 'Holidays' });
 */
export async function createClosure(
  ctx: Context,
  input: InputOf<typeof createClosureInput>,
): Promise<Closure> {
  if (input.endsOn < input.startsOn) {
    throw new DomainError('VALIDATION', 'endsOn must not be before startsOn.', {
      reason: 'ENDS_BEFORE_START',
      fields: ['endsOn'],
    });
  }
  await getLocation(ctx, input.locationId);
  const { startsOn, endsOn } = input;
  return runInTransaction(ctx, async (ctx) => {
    const row = await ctx.db.closure.create({
      ...CLOSURE_SELECTION,
      data: {
        locationId: input.locationId,
        startsOn: toDateColumn(startsOn),
        endsOn: toDateColumn(endsOn),
        reason: input.reason ?? null,
        createdAt: ctx.now(),
      },
    });
    await recordCreated(ctx, 'closure.created', [row.id]);
    return toClosure(row);
  });
}

/**
 * Deletes a closure and returns it.
 *
 * @throws NOT_FOUND
 */
export function deleteClosure(ctx: Context, id: string): Promise<Closure> {
  return runInTransaction(ctx, async (ctx) => {
    const { db } = ctx;
    const row = isUuid(id)
      ? await db.closure.findUnique({ ...CLOSURE_SELECTION, where: { id } })
      : null;
    if (row === null) throw notFound('closure');
    await recordDeleted(ctx, 'closure.deleted', [id]);
    const { count } = await db.closure.deleteMany({ where: { id } });
    if (count === 0) throw notFound('closure');
    return toClosure(row);
  });
}

/**
 * Stores the message of the emails about a closure, unless there is none, and locks the closure until the transaction ends.
 *
 * @throws NOT_FOUND
 */
export async function saveClosureAnnouncement(
  { db }: Context,
  id: string,
  announcement: string | undefined,
): Promise<Closure> {
  const rows = isUuid(id)
    ? await db.$queryRaw<unknown[]>`
        UPDATE closures SET announcement = coalesce(${announcement ?? null}, announcement) WHERE id = ${id}::uuid RETURNING id`
    : [];
  if (rows.length === 0) throw notFound('closure');
  return toClosure(await db.closure.findUniqueOrThrow({ ...CLOSURE_SELECTION, where: { id } }));
}

const COUNT_BOOKINGS_IN_CLOSURES = prepareStatement(`
  SELECT closure.closure_id AS id, count(b.id)::int AS bookings
  FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[]) closure (closure_id, location_id, starts, ends)
  JOIN bookings b ON b.location_id = closure.location_id AND b.status IN ('pending', 'confirmed')
    AND tstzrange(b.starts_at, b.ends_at) && tstzrange(closure.starts, closure.ends)
  GROUP BY closure.closure_id`);

/** Counts the pending and confirmed bookings that overlap each of these closures, by the closure's id. */
export async function countBookingsInClosures(
  { pipelinedSql }: Context,
  closures: readonly Closure[],
): Promise<Map<string, number>> {
  const bounds = closures.map(({ startsOn, endsOn, location }) =>
    toInstantBounds(startsOn, endsOn, location.timeZone),
  );
  const rows = await pipelinedSql<{ id: string; bookings: number }>(COUNT_BOOKINGS_IN_CLOSURES, [
    closures.map(({ id }) => id),
    closures.map(({ location }) => location.id),
    bounds.map(({ from }) => from.toISOString()),
    bounds.map(({ to }) => to.toISOString()),
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
