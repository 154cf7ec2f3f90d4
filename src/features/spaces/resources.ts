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

/** A bookable room, desk or piece of equipment at a location. */
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

/** Lists resources by name. */
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

/** @throws NOT_FOUND */
export async function getResource({ db }: Context, id: string): Promise<Resource> {
  const row = isUuid(id)
    ? await db.resource.findUnique({ ...RESOURCE_SELECTION, where: { id } })
    : null;
  if (row === null) throw notFound('resource');
  return toResource(row);
}

/** @throws NOT_FOUND */
export async function getResourceBySlug({ db }: Context, slug: string): Promise<Resource> {
  const row = await db.resource.findUnique({ ...RESOURCE_SELECTION, where: { slug } });
  if (row === null) throw notFound('resource');
  return toResource(row);
}

/** Finds those of these resources that exist, in any order. */
export async function findResourcesByIds({ db }: Context, ids: string[]): Promise<Resource[]> {
  const rows = await db.resource.findMany({ ...RESOURCE_SELECTION, where: { id: { in: ids } } });
  return rows.map(toResource);
}

/** The fields of a resource that can change. Location and slug are permanent. */
export type ResourceDetails = Partial<
  Omit<Resource, 'id' | 'slug' | 'location'> & { pricePerHour: Money | undefined }
>;

/**
 * Creates a resource. Omitted booking rules get their defaults.
 *
 * @throws NOT_FOUND for the location, CONFLICT when the slug is taken, VALIDATION for contradictory rules
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
 * Updates a resource. Omitted fields stay as they are, and so do existing bookings.
 *
 * @throws NOT_FOUND, VALIDATION when the changes contradict each other or the stored rules
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

/** Serializes updates: two concurrent changes could each be valid and contradict each other. */
async function lockResource({ db }: Context, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound('resource');
  await db.$queryRaw`SELECT 1 FROM resources WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
}

/** Allows keys with an undefined value. */
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

/** The booking rules of a resource. */
export interface BookingRules {
  minMinutes: number;
  maxMinutes: number;
  /** Bookings start at multiples of this interval, counted from midnight in local time, and last multiples of it. */
  slotIntervalMinutes: number;
  /** Time that stays free after each booking. */
  bufferMinutes: number;
  /** The latest time to book, before the start. */
  minNoticeMinutes: number;
  /** The earliest day to book, before the start. */
  maxAdvanceDays: number;
  /** Until this long before the start cancelling is free; later the price stays due. */
  freeCancellationHours: number;
  /** Release the booking if nobody checks in within this time after the start; null: never. */
  noShowMinutes: number | null;
  /** Bookings by members need approval by staff. */
  requiresApproval: boolean;
}

/** The defaults of the database columns. */
const DEFAULT_RULES = {
  slotIntervalMinutes: 15,
  minMinutes: 30,
  maxMinutes: 480,
  maxAdvanceDays: 365,
};

type PartialWithUndefined<T> = { [K in keyof T]?: T[K] | undefined };

/**
 * Resolves the durations of a new resource. The defaults are half an hour to eight hours, rounded to multiples of the
 * slot interval.
 */
export function resolveMinutes({
  slotIntervalMinutes: interval = DEFAULT_RULES.slotIntervalMinutes,
  ...input
}: PartialWithUndefined<Pick<BookingRules, 'slotIntervalMinutes' | 'minMinutes' | 'maxMinutes'>>) {
  const minMinutes = input.minMinutes ?? Math.ceil(DEFAULT_RULES.minMinutes / interval) * interval;
  const maxMinutes =
    input.maxMinutes ??
    Math.max(minMinutes, Math.floor(DEFAULT_RULES.maxMinutes / interval) * interval);
  return { slotIntervalMinutes: interval, minMinutes, maxMinutes };
}

/** @throws VALIDATION for rules that contradict each other */
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
      `maxMinutes: must be at least minMinutes, which is ${minMinutes}.`,
    );
  }
  for (const [field, minutes] of Object.entries({ minMinutes, maxMinutes })) {
    if (minutes % slotIntervalMinutes !== 0) {
      rejectRules(
        'NOT_ON_GRID',
        `${field}: ${minutes} is not a multiple of gridMinutes, which is ${slotIntervalMinutes}.`,
      );
    }
  }
  if (minNoticeMinutes > maxAdvanceDays * DAY_MINUTES) {
    rejectRules(
      'NOTICE_BEYOND_HORIZON',
      `noticeMinutes: ${minNoticeMinutes} is longer than daysAhead, which is ${maxAdvanceDays}. Nothing could be booked.`,
    );
  }
}

function rejectRules(reason: ErrorReason, message: string): never {
  throw new DomainError('VALIDATION', message, { reason });
}
