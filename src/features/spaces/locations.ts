import type { Context } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import {
  orderByName,
  type Page,
  type PageRequest,
  toPageByName,
  whereAfterName,
} from '../../core/pagination.ts';
import { isTimeZone } from '../../core/time/time-zone.ts';
import { rejectDuplicate } from '../../db/constraint-errors.ts';
import type { Location } from '../../db/generated/client.ts';
import { DomainError, notFound } from '../../errors.ts';

export type { Location };

export async function listLocations({ db }: Context, page: PageRequest): Promise<Page<Location>> {
  const rows = await db.location.findMany({
    where: whereAfterName(page),
    orderBy: orderByName,
    take: page.limit + 1,
  });
  return toPageByName(rows, page.limit);
}

/** Throws NOT_FOUND. */
export async function getLocation({ db }: Context, id: string): Promise<Location> {
  const location = isUuid(id) ? await db.location.findUnique({ where: { id } }) : null;
  if (location === null) throw notFound('location');
  return location;
}

/** Throws NOT_FOUND. */
export async function getLocationBySlug({ db }: Context, slug: string): Promise<Location> {
  const location = await db.location.findUnique({ where: { slug } });
  if (location === null) throw notFound('location');
  return location;
}

export const findLocationsByIds = ({ db }: Context, ids: string[]): Promise<Location[]> =>
  db.location.findMany({ where: { id: { in: ids } } });

/** Throws VALIDATION for an unknown time zone, CONFLICT when the slug is taken. */
export async function createLocation(
  { db }: Context,
  input: {
    slug: string;
    name: string;
    timeZone: string;
    address?: string | undefined;
    capacity?: number | undefined;
    lookupNames?: boolean | undefined;
    lookupNeedsKiosk?: boolean | undefined;
    hostEmail?: string | undefined;
  },
): Promise<Location> {
  await assertKnownTimeZone(db, input.timeZone);
  return rejectDuplicate(`The slug ${input.slug}`, () => db.location.create({ data: input }));
}

/**
 * What is not named stays. Bookings keep their instants when the zone changes; opening hours and closures follow the
 * new clocks. Throws NOT_FOUND, VALIDATION for an unknown time zone.
 */
export async function updateLocation(
  ctx: Context,
  id: string,
  changes: {
    name?: string | undefined;
    address?: string | null | undefined;
    capacity?: number | null | undefined;
    lookupNames?: boolean | undefined;
    lookupNeedsKiosk?: boolean | undefined;
    hostEmail?: string | null | undefined;
    timeZone?: string | undefined;
  },
): Promise<Location> {
  if (changes.timeZone !== undefined) await assertKnownTimeZone(ctx.db, changes.timeZone);
  await getLocation(ctx, id);
  return ctx.db.location.update({ where: { id }, data: changes });
}

/** For the rest of the transaction nobody else changes the location's hours. Throws NOT_FOUND. */
export async function lockLocation({ db }: Context, id: string): Promise<void> {
  const rows = isUuid(id)
    ? await db.$queryRaw<object[]>`SELECT 1 FROM locations WHERE id = ${id}::uuid FOR NO KEY UPDATE`
    : [];
  if (rows.length === 0) throw notFound('location');
}

/** Both sides reckon by it: what only one of them knows would let the location be made, and none of its bookings. */
async function assertKnownTimeZone(db: Context['db'], timeZone: string): Promise<void> {
  if (isTimeZone(timeZone)) {
    const known = await db.$queryRaw<
      object[]
    >`SELECT 1 FROM pg_timezone_names WHERE name = ${timeZone}`;
    if (known.length > 0) return;
  }
  throw new DomainError(
    'VALIDATION',
    `timeZone: ${timeZone} is no IANA time zone such as Europe/Berlin.`,
    { reason: 'UNKNOWN_TIME_ZONE' },
  );
}
