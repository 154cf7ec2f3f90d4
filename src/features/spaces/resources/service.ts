import { type Ctx, inTransaction } from '../../../context.ts';
import type { Location, ResourceType, Resource as Row } from '../../../db/generated/client.ts';
import { refuseTaken } from '../../../db/refusals.ts';
import { notFound } from '../../../errors.ts';
import { afterName, byName, type Page, type PageRequest, pageByName } from '../../../page.ts';
import { isUuid, type Money } from '../../../values.ts';
import { location } from '../locations/service.ts';
import { type BookingRules, checkRules, usualMinutes } from './rules.ts';

export type { BookingRules, ResourceType };

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

const SHOWN = { include: { location: true } } as const;

export async function resources(
  { db }: Ctx,
  { locationId, type }: ResourceFilter,
  page: PageRequest,
): Promise<Page<Resource>> {
  const rows = await db.resource.findMany({
    ...SHOWN,
    where: { ...(locationId && { locationId }), ...(type && { type }), ...afterName(page) },
    orderBy: byName,
    take: page.limit + 1,
  });
  return pageByName(rows.map(toResource), page.limit);
}

/** Throws NOT_FOUND. */
export async function resource({ db }: Ctx, id: string): Promise<Resource> {
  const row = isUuid(id) ? await db.resource.findUnique({ ...SHOWN, where: { id } }) : null;
  if (row === null) throw notFound('resource');
  return toResource(row);
}

/** Throws NOT_FOUND. */
export async function resourceBySlug({ db }: Ctx, slug: string): Promise<Resource> {
  const row = await db.resource.findUnique({ ...SHOWN, where: { slug } });
  if (row === null) throw notFound('resource');
  return toResource(row);
}

export async function resourcesById({ db }: Ctx, ids: string[]): Promise<Resource[]> {
  const rows = await db.resource.findMany({ ...SHOWN, where: { id: { in: ids } } });
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
  ctx: Ctx,
  input: Defined<ResourceDetails> & {
    locationId: string;
    slug: string;
    name: string;
    type: ResourceType;
  },
): Promise<Resource> {
  await location(ctx, input.locationId);
  const { pricePerHour, ...rest } = input;
  const data = { ...rest, ...usualMinutes(input), ...priceColumns(pricePerHour) };
  checkRules(data);
  return toResource(
    await refuseTaken(`The slug ${input.slug}`, () => ctx.db.resource.create({ ...SHOWN, data })),
  );
}

/**
 * What is not named stays; bookings that were made by the former rules stay too. Throws NOT_FOUND, VALIDATION when
 * the changes and what is stored contradict each other.
 */
export function updateResource(
  ctx: Ctx,
  id: string,
  { pricePerHour, ...changes }: Defined<ResourceDetails>,
): Promise<Resource> {
  return inTransaction(ctx, async (ctx) => {
    await lock(ctx, id);
    const stored = await resource(ctx, id);
    checkRules({ ...stored, ...named(changes) });
    const data = { ...changes, ...priceColumns(pricePerHour) };
    return toResource(await ctx.db.resource.update({ ...SHOWN, where: { id }, data }));
  });
}

/** Two changes at once, each right by itself, might contradict each other. */
async function lock({ db }: Ctx, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound('resource');
  await db.$queryRaw`SELECT 1 FROM resources WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
}

/** Keys may be there without a value. */
type Defined<T> = { [K in keyof T]: T[K] | undefined };

const named = <T extends object>(changes: T) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

const priceColumns = (price: Money | undefined) =>
  price && { hourlyAmount: price.amount, currency: price.currency };

const toResource = ({
  hourlyAmount,
  currency,
  ...row
}: Row & { location: Location }): Resource => ({
  ...row,
  pricePerHour: { amount: hourlyAmount, currency },
});
