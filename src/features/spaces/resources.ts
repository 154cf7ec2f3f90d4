import { type Context, runInTransaction } from '../../context.ts';
import type { ErrorReason } from '../../core/error-reasons.ts';
import { isUuid } from '../../core/ids.ts';
import type { Money } from '../../core/money.ts';
import {
  orderByName,
  type Page,
  type PageRequest,
  toPageByName,
  whereAfterName,
} from '../../core/pagination.ts';
import { DAY_MINUTES } from '../../core/time/time-zone.ts';
import { rejectDuplicate } from '../../db/constraint-errors.ts';
import type { Location, ResourceType, Resource as Row } from '../../db/generated/client.ts';
import { DomainError, notFound } from '../../errors.ts';
import { getLocation } from './locations.ts';

export type { ResourceType };

/** Something bookable at a location. Prices are per hour. */
export interface Resource extends BookingRules {
  id: string;
  slug: string;
  name: string;
  type: ResourceType;
  capacity: number;
  location: Location;
  pricePerHour: Money;
  amenities: string[];
  active: boolean;
}

export interface ResourceFilter {
  locationId?: string | undefined;
  type?: ResourceType | undefined;
}

const RESOURCE_SELECTION = { include: { location: true } } as const;

export async function listResources(
  { db }: Context,
  { locationId, type }: ResourceFilter,
  page: PageRequest,
): Promise<Page<Resource>> {
  const rows = await db.resource.findMany({
    ...RESOURCE_SELECTION,
    where: { ...(locationId && { locationId }), ...(type && { type }), ...whereAfterName(page) },
    orderBy: orderByName,
    take: page.limit + 1,
  });
  return toPageByName(rows.map(toResource), page.limit);
}

/** Throws NOT_FOUND. */
export async function getResource({ db }: Context, id: string): Promise<Resource> {
  const row = isUuid(id)
    ? await db.resource.findUnique({ ...RESOURCE_SELECTION, where: { id } })
    : null;
  if (row === null) throw notFound('resource');
  return toResource(row);
}

/** Throws NOT_FOUND. */
export async function getResourceBySlug({ db }: Context, slug: string): Promise<Resource> {
  const row = await db.resource.findUnique({ ...RESOURCE_SELECTION, where: { slug } });
  if (row === null) throw notFound('resource');
  return toResource(row);
}

export async function findResourcesByIds({ db }: Context, ids: string[]): Promise<Resource[]> {
  const rows = await db.resource.findMany({ ...RESOURCE_SELECTION, where: { id: { in: ids } } });
  return rows.map(toResource);
}

/** What may be said of a resource besides its place and slug, which stay as they are. */
export type ResourceDetails = Partial<
  Omit<Resource, 'id' | 'slug' | 'location'> & { pricePerHour: Money | undefined }
>;

/**
 * Rules that are left out are the usual ones. Throws NOT_FOUND for the location, CONFLICT when the slug is taken,
 * VALIDATION when nothing could be booked by its rules.
 */
export async function createResource(
  ctx: Context,
  input: WithUndefined<ResourceDetails> & {
    locationId: string;
    slug: string;
    name: string;
    type: ResourceType;
  },
): Promise<Resource> {
  await getLocation(ctx, input.locationId);
  const { pricePerHour, ...rest } = input;
  const data = { ...rest, ...resolveMinutes(input), ...toHourlyPriceColumns(pricePerHour) };
  assertConsistentRules(data);
  return toResource(
    await rejectDuplicate(`The slug ${input.slug}`, () =>
      ctx.db.resource.create({ ...RESOURCE_SELECTION, data }),
    ),
  );
}

/**
 * What is not named stays; bookings that were made by the former rules stay too. Throws NOT_FOUND, VALIDATION when
 * the changes and what is stored contradict each other.
 */
export function updateResource(
  ctx: Context,
  id: string,
  { pricePerHour, ...changes }: WithUndefined<ResourceDetails>,
): Promise<Resource> {
  return runInTransaction(ctx, async (ctx) => {
    await lockResource(ctx, id);
    const stored = await getResource(ctx, id);
    assertConsistentRules({ ...stored, ...omitUndefined(changes) });
    const data = { ...changes, ...toHourlyPriceColumns(pricePerHour) };
    return toResource(await ctx.db.resource.update({ ...RESOURCE_SELECTION, where: { id }, data }));
  });
}

/** Two changes at once, each right by itself, might contradict each other. */
async function lockResource({ db }: Context, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound('resource');
  await db.$queryRaw`SELECT 1 FROM resources WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
}

/** Keys may be there without a value. */
type WithUndefined<T> = { [K in keyof T]: T[K] | undefined };

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

/** The rules of booking a resource. */
export interface BookingRules {
  minMinutes: number;
  maxMinutes: number;
  /** Bookings begin on it, by the location's wall clock, and last multiples of it. */
  slotIntervalMinutes: number;
  /** Kept free after a booking. */
  bufferMinutes: number;
  /** Booked at least so long before. */
  minNoticeMinutes: number;
  /** Booked at most so long before. */
  maxAdvanceDays: number;
  /** Before the start; later the price stays due. */
  freeCancellationHours: number;
  /** Who has not arrived by then loses the booking; null: nobody does. */
  noShowMinutes: number | null;
  /** Members' bookings wait for staff. */
  requiresApproval: boolean;
}

/** As the schema has it. */
const DEFAULT_RULES = { grid: 15, min: 30, max: 480, maxAdvanceDays: 365 };

type PartialWithUndefined<T> = { [K in keyof T]?: T[K] | undefined };

/** The lengths of a new resource: half an hour to eight hours, as far as its grid allows, unless somebody chose them. */
export function resolveMinutes({
  slotIntervalMinutes: grid = DEFAULT_RULES.grid,
  ...chosen
}: PartialWithUndefined<Pick<BookingRules, 'slotIntervalMinutes' | 'minMinutes' | 'maxMinutes'>>) {
  const minMinutes = chosen.minMinutes ?? Math.ceil(DEFAULT_RULES.min / grid) * grid;
  const maxMinutes =
    chosen.maxMinutes ?? Math.max(minMinutes, Math.floor(DEFAULT_RULES.max / grid) * grid);
  return { slotIntervalMinutes: grid, minMinutes, maxMinutes };
}

/** Throws VALIDATION for rules by which nothing could be booked, or not all that they promise. */
export function assertConsistentRules({
  minMinutes,
  maxMinutes,
  slotIntervalMinutes,
  minNoticeMinutes = 0,
  maxAdvanceDays = DEFAULT_RULES.maxAdvanceDays,
}: PartialWithUndefined<BookingRules> &
  Pick<BookingRules, 'minMinutes' | 'maxMinutes' | 'slotIntervalMinutes'>): void {
  if (maxMinutes < minMinutes) {
    rejectRules(
      'MAX_BELOW_MIN',
      `maxMinutes: must not be below minMinutes, which is ${minMinutes}.`,
    );
  }
  for (const [field, minutes] of Object.entries({ minMinutes, maxMinutes })) {
    if (minutes % slotIntervalMinutes !== 0) {
      const words = `${field}: ${minutes} is no multiple of gridMinutes, which is ${slotIntervalMinutes}.`;
      rejectRules('NOT_ON_GRID', `${words} Bookings last multiples of it.`);
    }
  }
  if (minNoticeMinutes > maxAdvanceDays * DAY_MINUTES) {
    const words = `noticeMinutes: with ${minNoticeMinutes} nothing could be booked`;
    rejectRules('NOTICE_BEYOND_HORIZON', `${words}, because daysAhead is ${maxAdvanceDays}.`);
  }
}

function rejectRules(reason: ErrorReason, message: string): never {
  throw new DomainError('VALIDATION', message, { reason });
}
