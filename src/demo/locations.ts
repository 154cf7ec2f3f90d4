import { v7 } from 'uuid';
import type { Context } from '../context.ts';
import { toDateColumn } from '../core/time/calendar-date.ts';
import type { ResourceType } from '../db/generated/enums.ts';
import { createCalendar, type DemoCalendar, type RelativeDay, toDate } from './calendar.ts';

type DemoLocation = { id: string; calendar: DemoCalendar };
export type DemoResource = {
  id: string;
  slug: ResourceSlug;
  type: ResourceType;
  hourlyAmount: number;
  bufferMinutes: number;
  active: boolean;
  requiresApproval: boolean;
  locationSlug: LocationSlug;
  location: DemoLocation;
};
export type DemoSpaces = {
  locations: Record<LocationSlug, DemoLocation>;
  resources: Record<ResourceSlug, DemoResource>;
};

export async function addSpaces(ctx: Context): Promise<DemoSpaces> {
  const now = ctx.now();
  const locations = Object.fromEntries(
    demoLocations.map(({ slug, timeZone }) => [
      slug,
      { id: v7(), calendar: createCalendar(now, timeZone) },
    ]),
  ) as DemoSpaces['locations'];
  const openedAt = (slug: LocationSlug) =>
    toDate(locations[slug].calendar.at({ inDays: 0 }, '08:00').subtract({ years: 2 }));

  const resources = Object.fromEntries(
    demoResources.map((row: ResourceRow) => [
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
        location: locations[row.location],
      },
    ]),
  ) as DemoSpaces['resources'];

  await ctx.db.location.createMany({
    data: demoLocations.map((row) => ({
      id: locations[row.slug].id,
      ...row,
      createdAt: openedAt(row.slug),
      updatedAt: openedAt(row.slug),
    })),
  });
  await ctx.db.resource.createMany({
    data: demoResources.map((row: ResourceRow) => ({
      id: resources[row.slug as ResourceSlug].id,
      locationId: locations[row.location].id,
      slug: row.slug,
      name: row.name,
      type: row.type,
      area: row.area ?? null,
      capacity: row.capacity,
      amenities: [...row.amenities],
      hourlyAmount: row.hourlyAmount,
      currency: 'EUR',
      minMinutes: row.minutes[0],
      maxMinutes: row.minutes[1],
      bufferMinutes: row.minutes[2],
      gridMinutes: row.minutes[3],
      ...row.rules,
      active: resources[row.slug as ResourceSlug].active,
      createdAt: openedAt(row.location),
      updatedAt: openedAt(row.location),
    })),
  });
  return { locations, resources };
}

const WORKDAYS = [1, 2, 3, 4, 5];
const SATURDAY = 6;

// Hours of the day. Both locations are closed on Sundays.
const demoOpeningHours: Record<
  LocationSlug,
  { onWorkdays: [number, number]; onSaturdays: [number, number] }
> = {
  kreuzberg: { onWorkdays: [8, 20], onSaturdays: [10, 18] },
  alfama: { onWorkdays: [9, 19], onSaturdays: [10, 16] },
};

// In the week after the last bookings, so that it conflicts with none.
const demoClosure: { location: LocationSlug; from: RelativeDay; to: RelativeDay; reason: string } =
  {
    location: 'kreuzberg',
    from: { week: 4, weekday: 1 },
    to: { week: 4, weekday: 2 },
    reason: 'Floor renovation',
  };

export async function addOpeningHours(ctx: Context, spaces: DemoSpaces): Promise<void> {
  const slugs = Object.keys(demoOpeningHours) as LocationSlug[];
  await ctx.db.openingHours.createMany({
    data: slugs.flatMap((slug) =>
      [...WORKDAYS, SATURDAY].map((weekday) => {
        const { onWorkdays, onSaturdays } = demoOpeningHours[slug];
        const [opens, closes] = weekday === SATURDAY ? onSaturdays : onWorkdays;
        const locationId = spaces.locations[slug].id;
        return { locationId, weekday, opensMinute: opens * 60, closesMinute: closes * 60 };
      }),
    ),
  });

  const { id: locationId, calendar } = spaces.locations[demoClosure.location];
  const toDay = (day: RelativeDay) =>
    toDateColumn(calendar.at(day, '00:00').toPlainDate().toString());
  await ctx.db.closure.create({
    data: {
      locationId,
      startsOn: toDay(demoClosure.from),
      endsOn: toDay(demoClosure.to),
      reason: demoClosure.reason,
      createdAt: toDate(calendar.at({ inDays: -20 }, '10:00')),
    },
  });
}

const demoLocations = [
  {
    slug: 'kreuzberg',
    name: 'Foyer Kreuzberg',
    address: 'Lausitzer Hof 7, 10999 Berlin, Germany',
    phone: '+49 30 5550 1234',
    timeZone: 'Europe/Berlin',
    capacity: 140,
    memberBookingsOnDisplays: 'title',
  },
  {
    slug: 'alfama',
    name: 'Foyer Alfama',
    address: 'Beco do Farol 3, 1100-001 Lisboa, Portugal',
    phone: '+351 21 555 0123',
    timeZone: 'Europe/Lisbon',
    capacity: 60,
    lookupAccess: 'kiosks', // it has a kiosk
    memberAdmission: 'all',
  },
] as const;

export type LocationSlug = (typeof demoLocations)[number]['slug'];

type ResourceRow = {
  location: LocationSlug;
  slug: string;
  name: string;
  type: ResourceType;
  area?: string;
  capacity: number;
  hourlyAmount: number;
  minutes: readonly [min: number, max: number, buffer: number, grid: number];
  amenities: string[];
  rules?: {
    noticeMinutes?: number;
    daysAhead?: number;
    freeCancellationHours?: number;
    noShowMinutes?: number;
    requiresApproval?: boolean;
  };
  active?: boolean;
};

// biome-ignore format: a table reads best with a few lines a row
const demoResources = [
  { location: 'kreuzberg', slug: 'atelier', name: 'Atelier', type: 'room', area: 'First floor', capacity: 12,
    hourlyAmount: 3800, minutes: [60, 480, 15, 15], amenities: ['screen', 'whiteboard', 'daylight'],
    rules: { freeCancellationHours: 4 } },
  { location: 'kreuzberg', slug: 'spree', name: 'Spree', type: 'room', area: 'First floor', capacity: 4,
    hourlyAmount: 1600, minutes: [30, 240, 0, 30], amenities: ['screen', 'video-conference'] },
  { location: 'kreuzberg', slug: 'saal', name: 'Saal', type: 'room', area: 'Ground floor', capacity: 80,
    hourlyAmount: 9500, minutes: [120, 600, 30, 30], amenities: ['stage', 'sound-system', 'projector', 'step-free'],
    rules: { noticeMinutes: 2880, freeCancellationHours: 24, requiresApproval: true } },
  { location: 'kreuzberg', slug: 'phone-booth', name: 'Phone booth', type: 'room', area: 'First floor', capacity: 1,
    hourlyAmount: 600, minutes: [15, 120, 0, 15], amenities: ['soundproof'],
    rules: { daysAhead: 60, noShowMinutes: 15 } },
  { location: 'kreuzberg', slug: 'window-desk', name: 'Window desk', type: 'desk', area: 'Ground floor', capacity: 1,
    hourlyAmount: 350, minutes: [60, 600, 0, 60], amenities: ['daylight', 'monitor'] },
  { location: 'kreuzberg', slug: 'standing-desk', name: 'Standing desk', type: 'desk', area: 'Ground floor', capacity: 1,
    hourlyAmount: 400, minutes: [60, 600, 0, 60], amenities: ['monitor', 'height-adjustable'] },
  { location: 'kreuzberg', slug: 'projector', name: 'Portable projector', type: 'equipment', capacity: 1,
    hourlyAmount: 500, minutes: [60, 480, 30, 30], amenities: ['hdmi', 'usb-c'],
    rules: { noticeMinutes: 60 } },
  { location: 'alfama', slug: 'tejo', name: 'Tejo', type: 'room', area: 'First floor', capacity: 8,
    hourlyAmount: 2200, minutes: [30, 480, 15, 15], amenities: ['screen', 'whiteboard', 'video-conference'],
    rules: { freeCancellationHours: 2 } },
  { location: 'alfama', slug: 'miradouro', name: 'Miradouro', type: 'room', area: 'Roof', capacity: 30,
    hourlyAmount: 5400, minutes: [60, 480, 30, 30], amenities: ['terrace', 'sound-system'],
    rules: { noticeMinutes: 1440, freeCancellationHours: 12 } },
  { location: 'alfama', slug: 'garden-desk', name: 'Garden desk', type: 'desk', area: 'Garden', capacity: 1,
    hourlyAmount: 300, minutes: [60, 600, 0, 60], amenities: ['outdoors', 'power'] },
  { location: 'alfama', slug: 'podcast-kit', name: 'Podcast kit', type: 'equipment', capacity: 1,
    hourlyAmount: 900, minutes: [60, 480, 30, 30], amenities: ['two-microphones', 'recorder'] },
  { location: 'alfama', slug: 'darkroom', name: 'Darkroom', type: 'room', area: 'Basement', capacity: 3,
    hourlyAmount: 1800, minutes: [60, 240, 30, 30], amenities: ['enlarger', 'running-water'], active: false },
] as const satisfies readonly ResourceRow[];

export type ResourceSlug = (typeof demoResources)[number]['slug'];
