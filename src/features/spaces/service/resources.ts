import { type Context, runInTransaction } from '../../../context.ts';
import type { ErrorReason } from '../../../core/error-reasons.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Money } from '../../../core/money.ts';
import type { Page, PageRequest } from '../../../core/pagination.ts';
import { DAY_MINUTES } from '../../../core/time/time-zone.ts';
import type { InputOf } from '../../../core/validation.ts';
import { rejectDuplicate } from '../../../db/constraint-errors.ts';
import type { Location, ResourceType, Resource as Row } from '../../../db/generated/client.ts';
import { matchText } from '../../../db/text-search.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { recordCreated, recordUpdated } from '../../../journal/record-changes.ts';
import { listRows } from '../../../lists/read-list.ts';
import {
  type CreationFilter,
  matchCreation,
  matchEnum,
  type RowList,
} from '../../../lists/row-list.ts';
import type { createResourceInput, updateResourceInput } from '../inputs.ts';
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
  active?: boolean | undefined;
  minCapacity?: number | undefined;
  /** Only resources with all of these. */
  amenities?: readonly string[] | undefined;
}

const RESOURCE_SELECTION = { include: { location: true } } as const;

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
    const { q, locationId, type, active, minCapacity, amenities, ...creation } = filter;
    const conditions = matchCreation(row, creation, bind);
    if (q) conditions.push(matchText([`${row}.name`], q, bind));
    if (locationId) conditions.push(`${row}.location_id = ${bind(locationId, 'uuid')}`);
    if (type) conditions.push(matchEnum(`${row}.type`, type));
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
  if (row === null) throw notFound('resource');
  return toResource(row);
}

/** Gets a resource by its slug. @throws NOT_FOUND */
export async function getResourceBySlug({ db }: Context, slug: string): Promise<Resource> {
  const row = await db.resource.findUnique({ ...RESOURCE_SELECTION, where: { slug } });
  if (row === null) throw notFound('resource');
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
  const data = { ...rest, ...resolveMinutes(input), ...toHourlyPriceColumns(pricePerHour) };
  assertConsistentRules(data);
  return runInTransaction(ctx, async (ctx) => {
    const row = await rejectDuplicate(`The slug ${input.slug}`, () =>
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
    if (!isUuid(id)) throw notFound('resource');
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

const omitUndefined = <T extends object>(changes: T) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

const toHourlyPriceColumns = (price: Money | undefined) =>
  price && { hourlyAmount: price.amount, currency: price.currency };

const toResource = ({
  hourlyAmount,
  currency,
  ...row
}: Row & { location: Location }): Resource => ({
  ...row,
  pricePerHour: { amount: hourlyAmount, currency },
});

/** The booking rules of a resource. */
type BookingRules = Pick<
  Row,
  | 'minMinutes'
  | 'maxMinutes'
  | 'gridMinutes'
  | 'bufferMinutes'
  | 'noticeMinutes'
  | 'daysAhead'
  | 'freeCancellationHours'
  | 'noShowMinutes'
  | 'requiresApproval'
>;

/** The same defaults as in the database. */
const DEFAULT_RULES = {
  gridMinutes: 15,
  minMinutes: 30,
  maxMinutes: 480,
  daysAhead: 365,
};

type PartialWithUndefined<T> = { [K in keyof T]?: T[K] | undefined };

/**
 * Resolves the durations of a new resource. The defaults are half an hour to eight hours, rounded to multiples of the
 * grid.
 */
function resolveMinutes({
  gridMinutes: interval = DEFAULT_RULES.gridMinutes,
  ...input
}: PartialWithUndefined<Pick<BookingRules, 'gridMinutes' | 'minMinutes' | 'maxMinutes'>>) {
  const minMinutes = input.minMinutes ?? Math.ceil(DEFAULT_RULES.minMinutes / interval) * interval;
  const maxMinutes =
    input.maxMinutes ??
    Math.max(minMinutes, Math.floor(DEFAULT_RULES.maxMinutes / interval) * interval);
  return { gridMinutes: interval, minMinutes, maxMinutes };
}

/** Checks that the rules do not contradict each other. @throws VALIDATION */
function assertConsistentRules({
  minMinutes,
  maxMinutes,
  gridMinutes,
  noticeMinutes = 0,
  daysAhead = DEFAULT_RULES.daysAhead,
}: PartialWithUndefined<BookingRules> &
  Pick<BookingRules, 'minMinutes' | 'maxMinutes' | 'gridMinutes'>): void {
  if (maxMinutes < minMinutes) {
    rejectRules('MAX_BELOW_MIN', `maxMinutes must be at least minMinutes, which is ${minMinutes}.`);
  }
  for (const [field, minutes] of Object.entries({ minMinutes, maxMinutes })) {
    if (minutes % gridMinutes !== 0) {
      rejectRules(
        'NOT_ON_GRID',
        `${field}: ${minutes} is not a multiple of gridMinutes, which is ${gridMinutes}.`,
      );
    }
  }
  if (noticeMinutes > daysAhead * DAY_MINUTES) {
    rejectRules(
      'NOTICE_BEYOND_HORIZON',
      `noticeMinutes: ${noticeMinutes} is longer than daysAhead, which is ${daysAhead}, so nothing could be booked.`,
    );
  }
}

function rejectRules(reason: ErrorReason, message: string): never {
  throw new DomainError('VALIDATION', message, { reason });
}
