import type { Ctx } from '../../context.ts';
import type {
  Location,
  Prisma,
  Resource as ResourceRow,
  ResourceType,
} from '../../db/generated/client.ts';
import { refuseTaken } from '../../db/refusals.ts';
import { DomainError, notFound } from '../../errors.ts';
import { afterName, byName, type Page, type PageRequest, pageByName } from '../../page.ts';
import { isTimeZone } from '../../time.ts';
import type { Money } from '../../values.ts';

export type { Location, ResourceType };

/** Something bookable at a location. Minutes are whole, prices per hour. */
export interface Resource {
  id: string;
  slug: string;
  name: string;
  type: ResourceType;
  capacity: number;
  location: Location;
  pricePerHour: Money;
  minMinutes: number;
  maxMinutes: number;
  bufferMinutes: number;
  amenities: string[];
  active: boolean;
}

export async function locations({ db }: Ctx, page: PageRequest): Promise<Page<Location>> {
  const rows = await db.location.findMany({
    where: afterName(page),
    orderBy: byName,
    take: page.limit + 1,
  });
  return pageByName(rows, page.limit);
}

export interface ResourceFilter {
  locationId?: string | undefined;
  type?: ResourceType | undefined;
}

export async function resources(
  { db }: Ctx,
  filter: ResourceFilter,
  page: PageRequest,
): Promise<Page<Resource>> {
  const rows = await db.resource.findMany({
    where: { ...present(filter), ...afterName(page) },
    include: { location: true },
    orderBy: byName,
    take: page.limit + 1,
  });
  return pageByName(rows.map(toResource), page.limit);
}

/** Throws NOT_FOUND. */
export async function locationBySlug({ db }: Ctx, slug: string): Promise<Location> {
  const location = await db.location.findUnique({ where: { slug } });
  if (location === null) throw notFound('location');
  return location;
}

/** Throws NOT_FOUND. */
export async function resourceBySlug({ db }: Ctx, slug: string): Promise<Resource> {
  const row = await db.resource.findUnique({ where: { slug }, include: { location: true } });
  if (row === null) throw notFound('resource');
  return toResource(row);
}

/** Throws VALIDATION for an unknown time zone, CONFLICT when the slug is taken. */
export async function createLocation(
  { db }: Ctx,
  input: {
    slug: string;
    name: string;
    timeZone: string;
    address?: string | undefined;
    capacity?: number | undefined;
  },
): Promise<Location> {
  if (!isTimeZone(input.timeZone)) {
    throw new DomainError(
      'VALIDATION',
      `timeZone: ${input.timeZone} is no IANA time zone such as Europe/Berlin.`,
      {
        reason: 'UNKNOWN_TIME_ZONE',
      },
    );
  }
  return refuseTaken(`The slug ${input.slug}`, () => db.location.create({ data: present(input) }));
}

/** Throws NOT_FOUND for the location, CONFLICT when the slug is taken. */
export async function createResource(
  { db }: Ctx,
  {
    pricePerHour,
    ...input
  }: Omit<Prisma.ResourceUncheckedCreateInput, 'hourlyAmount' | 'currency'> & {
    pricePerHour?: Money | undefined;
  },
): Promise<Resource> {
  if ((await db.location.count({ where: { id: input.locationId } })) === 0)
    throw notFound('location');
  const price = pricePerHour && {
    hourlyAmount: pricePerHour.amount,
    currency: pricePerHour.currency,
  };
  return toResource(
    await refuseTaken(`The slug ${input.slug}`, () =>
      db.resource.create({ data: { ...input, ...price }, include: { location: true } }),
    ),
  );
}

const toResource = ({
  hourlyAmount,
  currency,
  ...row
}: ResourceRow & { location: Location }): Resource => ({
  ...row,
  pricePerHour: { amount: hourlyAmount, currency },
});

/** Without the keys that are undefined. */
const present = <T extends object>(input: T) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

export const locationsById = ({ db }: Ctx, ids: string[]): Promise<Location[]> =>
  db.location.findMany({ where: { id: { in: ids } } });

export async function resourcesById({ db }: Ctx, ids: string[]): Promise<Resource[]> {
  const rows = await db.resource.findMany({
    where: { id: { in: ids } },
    include: { location: true },
  });
  return rows.map(toResource);
}
