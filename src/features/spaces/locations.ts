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

/** Lists locations by name. */
export async function listLocations({ db }: Context, page: PageRequest): Promise<Page<Location>> {
  const rows = await db.location.findMany({
    where: whereAfterName(page),
    orderBy: orderByName,
    take: page.limit + 1,
  });
  return toPageByName(rows, page.limit);
}

/** @throws NOT_FOUND */
export async function getLocation({ db }: Context, id: string): Promise<Location> {
  const location = isUuid(id) ? await db.location.findUnique({ where: { id } }) : null;
  if (location === null) throw notFound('location');
  return location;
}

/** @throws NOT_FOUND */
export async function getLocationBySlug({ db }: Context, slug: string): Promise<Location> {
  const location = await db.location.findUnique({ where: { slug } });
  if (location === null) throw notFound('location');
  return location;
}

/** Finds those of these locations that exist, in any order. */
export const findLocationsByIds = ({ db }: Context, ids: string[]): Promise<Location[]> =>
  db.location.findMany({ where: { id: { in: ids } } });

/**
 * Creates a location without opening hours, which is always open.
 *
 * @throws VALIDATION for an unknown time zone, CONFLICT when the slug is taken
 */
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
 * Updates a location. Omitted fields stay as they are. When the time zone changes, bookings keep their instants, while
 * opening hours and closures move to the new local time.
 *
 * @throws NOT_FOUND, VALIDATION for an unknown time zone
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

/**
 * Locks a location until the transaction ends, so that nobody else changes its opening hours.
 *
 * @throws NOT_FOUND
 */
export async function lockLocation({ db }: Context, id: string): Promise<void> {
  const rows = isUuid(id)
    ? await db.$queryRaw<object[]>`SELECT 1 FROM locations WHERE id = ${id}::uuid FOR NO KEY UPDATE`
    : [];
  if (rows.length === 0) throw notFound('location');
}

/** Both Node.js and PostgreSQL must know the zone: with only one of them, every booking would fail. */
async function assertKnownTimeZone(db: Context['db'], timeZone: string): Promise<void> {
  if (isTimeZone(timeZone)) {
    const rows = await db.$queryRaw<
      object[]
    >`SELECT 1 FROM pg_timezone_names WHERE name = ${timeZone}`;
    if (rows.length > 0) return;
  }
  throw new DomainError(
    'VALIDATION',
    `timeZone: ${timeZone} is not a known IANA time zone. Use a name such as Europe/Berlin.`,
    { reason: 'UNKNOWN_TIME_ZONE' },
  );
}
