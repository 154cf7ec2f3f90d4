import { requireAccess } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import { isTimeZone } from '../../../core/time/time-zone.ts';
import type { InputOf } from '../../../core/validation.ts';
import { rejectDuplicate } from '../../../db/constraint-errors.ts';
import type { Location } from '../../../db/generated/client.ts';
import { matchText } from '../../../db/text-search.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { recordCreated, recordUpdated } from '../../../journal/record-changes.ts';
import { type CreationFilter, matchCreation, type RowList } from '../../../lists/row-list.ts';
import type { createLocationInput, updateLocationInput } from '../inputs.ts';

interface LocationFilter extends CreationFilter {
  /** Part of the name or address. */
  q?: string | undefined;
}

/** Locations, by default sorted by name. */
export const locationList: RowList<Location, LocationFilter, 'NAME' | 'CREATED_AT'> = {
  name: 'locations',
  table: 'locations',
  sortKeys: {
    NAME: { column: 'name', type: 'text', label: 'name' },
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
  },
  defaultOrder: 'NAME_ASC',
  where: (row, { q, ...creation }, { bind }) => [
    ...(q ? [matchText([`${row}.name`, `${row}.address`], q, bind)] : []),
    ...matchCreation(row, creation, bind),
  ],
  findByIds: ({ db }, ids) => db.location.findMany({ where: { id: { in: ids } } }),
};

/** Gets a location. @throws NOT_FOUND */
export async function getLocation({ db }: Context, id: string): Promise<Location> {
  const location = isUuid(id) ? await db.location.findUnique({ where: { id } }) : null;
  if (location === null) throw notFound('location', id);
  return location;
}

/**
 * Creates a location. It has no opening hours yet, so it is always open.
 *
 * @throws VALIDATION for an unknown time zone, CONFLICT if the slug is in use, FORBIDDEN as `assertCanReadArrivals`
 *
 * @example
 * await createLocation(ctx, { name: 'Main house', slug: 'main-house', timeZone: 'Europe/Berlin' });
 */
export async function createLocation(
  ctx: Context,
  input: InputOf<typeof createLocationInput>,
): Promise<Location> {
  assertCanReadArrivals(ctx, input);
  await assertKnownTimeZone(ctx.db, input.timeZone);
  return runInTransaction(ctx, async (ctx) => {
    const location = await rejectDuplicate(`The slug ${input.slug}`, 'slug', () =>
      ctx.db.location.create({ data: input }),
    );
    await recordCreated(ctx, 'location.created', [location.id]);
    return location;
  });
}

/**
 * Updates a location. Omitted fields stay unchanged. If the time zone changes, bookings keep their instants, while
 * opening hours and closures apply in the new local time.
 *
 * @throws NOT_FOUND, VALIDATION for an unknown time zone, FORBIDDEN as `assertCanReadArrivals`
 */
export async function updateLocation(
  ctx: Context,
  id: string,
  changes: Omit<InputOf<typeof updateLocationInput>, 'id'>,
): Promise<Location> {
  assertCanReadArrivals(ctx, changes);
  if (changes.timeZone !== undefined) await assertKnownTimeZone(ctx.db, changes.timeZone);
  await getLocation(ctx, id);
  return runInTransaction(ctx, (ctx) =>
    recordUpdated(ctx, 'location.updated', [id], () =>
      ctx.db.location.update({ where: { id }, data: changes }),
    ),
  );
}

/**
 * Checks that the caller can read who arrives before an address gets emails about it.
 * @throws FORBIDDEN, reason MISSING_SCOPE, without `check-ins:read`.
 */
function assertCanReadArrivals(
  { viewer }: Context,
  { hostEmail }: { hostEmail?: string | null | undefined },
): void {
  if (hostEmail) requireAccess(viewer, 'check-ins:read');
}

/**
 * Leaves lookups and check-ins by handle to paired kiosks and staff, unless the location has this setting already. Call it in
 * the transaction that pairs a kiosk. It does nothing after the first kiosk, so that staff can set it back.
 */
export async function restrictLookupsToKiosks(ctx: Context, id: string): Promise<void> {
  await recordUpdated(ctx, 'location.updated', [id], () =>
    ctx.db.location.updateMany({
      where: { id, lookupAccess: null },
      data: { lookupAccess: 'kiosks' },
    }),
  );
}

/** Checks that both Node.js and PostgreSQL know the zone. If only one of them did, every booking would fail. */
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
    { reason: 'UNKNOWN_TIME_ZONE', fields: ['timeZone'] },
  );
}
