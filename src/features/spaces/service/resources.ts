import { type Context, runInTransaction } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Money } from '../../../core/money.ts';
import type { Page, PageRequest } from '../../../core/pagination.ts';
import type { InputOf } from '../../../core/validation.ts';
import { rejectDuplicate } from '../../../db/constraint-errors.ts';
import type { Location, ResourceType, Resource as Row } from '../../../db/generated/client.ts';
import { matchText } from '../../../db/text-search.ts';
import { notFound } from '../../../errors.ts';
import { recordCreated, recordUpdated } from '../../../journal/record-changes.ts';
import { listRows } from '../../../lists/read-list.ts';
import {
  type CreationFilter,
  matchCreation,
  matchEnum,
  type RowList,
} from '../../../lists/row-list.ts';
import type { createResourceInput, updateResourceInput } from '../inputs.ts';
import {
  assertConsistentRules,
  omitUndefined,
  resolveDurations,
  toHourlyPriceColumns,
} from '../resource-rules.ts';
import { getLocation } from './locations.ts';

/** A bookable room, desk or piece of equipment at a location. */
export interface Resource extends Omit<Row, 'hourlyAmount' | 'currency'> {
  location: Location;
  pricePerHour: Money;
}

interface ResourceFilter extends CreationFilter {
  /** Part of the name. */
  q?: string | undefined;
  locationId?: string | undefined;
  type?: readonly ResourceType[] | undefined;
  area?: string | undefined;
  active?: boolean | undefined;
  minCapacity?: number | undefined;
  /** Only resources with all of these. */
  amenities?: readonly string[] | undefined;
}

export const RESOURCE_SELECTION = { include: { location: true } } as const;

/** Resources, by default sorted by name. */
export const resourceList: RowList<Resource, ResourceFilter, 'NAME' | 'CAPACITY' | 'CREATED_AT'> = {
  name: 'resources',
  table: 'resources',
  sortKeys: {
    NAME: { column: 'name', type: 'text', label: 'name' },
    CAPACITY: { column: 'capacity', type: 'int', label: 'capacity' },
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of creation' },
  },
  defaultOrder: 'NAME_ASC',
  where: (row, filter, { bind }) => {
    const { q, locationId, type, area, active, minCapacity, amenities, ...creation } = filter;
    const conditions = matchCreation(row, creation, bind);
    if (q) conditions.push(matchText([`${row}.name`], q, bind));
    if (locationId) conditions.push(`${row}.location_id = ${bind(locationId, 'uuid')}`);
    if (type) conditions.push(matchEnum(`${row}.type`, type));
    if (area) conditions.push(`${row}.area = ${bind(area, 'text')}`);
    if (active !== undefined) conditions.push(`${row}.active = ${active}`);
    if (minCapacity) conditions.push(`${row}.capacity >= ${bind(minCapacity, 'int')}`);
    if (amenities) conditions.push(`${row}.amenities @> ${bind(amenities, 'text[]')}`);
    return conditions;
  },
  findByIds: findResourcesByIds,
};

/** Lists resources by name. @throws BAD_REQUEST for an invalid cursor */
export const listResources = (
  ctx: Context,
  filter: ResourceFilter,
  page: PageRequest,
): Promise<Page<Resource>> => listRows(ctx, resourceList, filter, page);

/** Gets a resource. @throws NOT_FOUND */
export async function getResource({ db }: Context, id: string): Promise<Resource> {
  const row = isUuid(id)
    ? await db.resource.findUnique({ ...RESOURCE_SELECTION, where: { id } })
    : null;
  if (row === null) throw notFound('resource', id);
  return toResource(row);
}

/** Gets a resource by its slug. @throws NOT_FOUND */
export async function getResourceBySlug({ db }: Context, slug: string): Promise<Resource> {
  const row = await db.resource.findUnique({ ...RESOURCE_SELECTION, where: { slug } });
  if (row === null) throw notFound('resource', slug);
  return toResource(row);
}

/** Finds resources by id, in any order. Unknown ids are left out. */
async function findResourcesByIds({ db }: Context, ids: string[]): Promise<Resource[]> {
  const rows = await db.resource.findMany({ ...RESOURCE_SELECTION, where: { id: { in: ids } } });
  return rows.map(toResource);
}

/**
 * Creates a resource. Omitted booking rules get their defaults.
 *
 * @throws NOT_FOUND for the location, CONFLICT if the slug is in use, VALIDATION for contradictory rules
 *
 * @example
 * await createResource(ctx, { name: 'Room 1', slug: 'room-1', locationId, type: 'room', capacity: 8 });
 */
export async function createResource(
  ctx: Context,
  input: InputOf<typeof createResourceInput>,
): Promise<Resource> {
  await getLocation(ctx, input.locationId);
  const { pricePerHour, ...rest } = input;
  const data = { ...rest, ...resolveDurations(input), ...toHourlyPriceColumns(pricePerHour) };
  assertConsistentRules(data);
  return runInTransaction(ctx, async (ctx) => {
    const row = await rejectDuplicate(`The slug ${input.slug}`, 'slug', () =>
      ctx.db.resource.create({ ...RESOURCE_SELECTION, data }),
    );
    await recordCreated(ctx, 'resource.created', [row.id]);
    return toResource(row);
  });
}

/**
 * Updates a resource. Omitted fields and existing bookings stay unchanged.
 *
 * @throws NOT_FOUND, VALIDATION if the resulting rules contradict each other
 */
export function updateResource(
  ctx: Context,
  id: string,
  { pricePerHour, ...changes }: Omit<InputOf<typeof updateResourceInput>, 'id'>,
): Promise<Resource> {
  return runInTransaction(ctx, async (ctx) => {
    if (!isUuid(id)) throw notFound('resource', id);
    const data = { ...changes, ...toHourlyPriceColumns(pricePerHour) };
    const row = await recordUpdated(ctx, 'resource.updated', [id], async () => {
      // The resource is locked, since two concurrent changes could each be valid but contradict each other.
      const stored = await getResource(ctx, id);
      assertConsistentRules({ ...stored, ...omitUndefined(changes) });
      return ctx.db.resource.update({ ...RESOURCE_SELECTION, where: { id }, data });
    });
    return toResource(row);
  });
}

export const toResource = ({
  hourlyAmount,
  currency,
  ...row
}: Row & { location: Location }): Resource => ({
  ...row,
  pricePerHour: { amount: hourlyAmount, currency },
});
