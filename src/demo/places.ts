import { v7 } from 'uuid';
import type { Ctx } from '../context.ts';
import type { ResourceType } from '../db/generated/enums.ts';
import { type Calendar, calendarOf, toDate } from './calendar.ts';
import {
  type LocationSlug,
  locations,
  type ResourceRow,
  type ResourceSlug,
  resources,
} from './inventory.ts';

type Location = { id: string; calendar: Calendar };
export type Resource = {
  id: string;
  slug: ResourceSlug;
  type: ResourceType;
  hourlyAmount: number;
  bufferMinutes: number;
  active: boolean;
  requiresApproval: boolean;
  locationSlug: LocationSlug;
  location: Location;
};
export type Places = {
  locations: Record<LocationSlug, Location>;
  resources: Record<ResourceSlug, Resource>;
};

export async function addPlaces(ctx: Ctx): Promise<Places> {
  const now = ctx.now();
  const located = Object.fromEntries(
    locations.map(({ slug, timeZone }) => [
      slug,
      { id: v7(), calendar: calendarOf(now, timeZone) },
    ]),
  ) as Places['locations'];
  const openedAt = (slug: LocationSlug) =>
    toDate(located[slug].calendar.at({ inDays: 0 }, '08:00').subtract({ years: 2 }));

  const resourced = Object.fromEntries(
    resources.map((row: ResourceRow) => [
      row.slug,
      {
        id: v7(),
        slug: row.slug,
        type: row.type,
        hourlyAmount: row.hourlyAmount,
        bufferMinutes: row.minutes[2],
        active: row.active ?? true,
        requiresApproval: row.rules?.requiresApproval ?? false,
        locationSlug: row.location,
        location: located[row.location],
      },
    ]),
  ) as Places['resources'];

  await ctx.db.location.createMany({
    data: locations.map((row) => ({
      id: located[row.slug].id,
      ...row,
      createdAt: openedAt(row.slug),
      updatedAt: openedAt(row.slug),
    })),
  });
  await ctx.db.resource.createMany({
    data: resources.map((row: ResourceRow) => ({
      id: resourced[row.slug as ResourceSlug].id,
      locationId: located[row.location].id,
      slug: row.slug,
      name: row.name,
      type: row.type,
      capacity: row.capacity,
      amenities: [...row.amenities],
      hourlyAmount: row.hourlyAmount,
      currency: 'EUR',
      minMinutes: row.minutes[0],
      maxMinutes: row.minutes[1],
      bufferMinutes: row.minutes[2],
      slotIntervalMinutes: row.minutes[3],
      ...row.rules,
      active: resourced[row.slug as ResourceSlug].active,
      createdAt: openedAt(row.location),
      updatedAt: openedAt(row.location),
    })),
  });
  return { locations: located, resources: resourced };
}
