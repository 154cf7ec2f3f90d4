import {
  type Bookable,
  type BookingRequest,
  decide,
  type Place,
  type World,
} from './documented-bookings.ts';
import {
  DAY,
  findInstants,
  MINUTE,
  startOfDay,
  toDay,
  toWall,
} from './documented-bookings-time.ts';

/** The starts of slots between two instants, in order. */
export function listStarts(place: Place, grid: number, from: number, to: number): number[] {
  const { zone } = place;
  const starts: number[] = [];
  for (let day = toDay(zone, from) - 1; day <= toDay(zone, to) + 1; day += 1) {
    if (grid === 1440) starts.push(startOfDay(zone, day));
    else
      for (let minute = 0; minute < 1440; minute += grid)
        starts.push(...findInstants(zone, day * DAY + minute * MINUTE));
  }
  return starts.filter((start) => from <= start && start < to).sort((a, b) => a - b);
}

/** The end of a slot, or null if a resource that is booked by the day has none of this length. */
export function findSlotEnd(place: Place, { grid }: Bookable, start: number, minutes: number) {
  if (grid !== 1440) return start + minutes * MINUTE;
  if (minutes % 1440 !== 0) return null;
  return startOfDay(place.zone, toDay(place.zone, start) + minutes / 1440);
}

export interface PricedSlot {
  start: number;
  end: number;
  price: number;
}

/** The slots of this length that can be booked for a person, or for a guest, within the span. */
export function listSlots(
  world: World,
  requested: Pick<BookingRequest, 'resource' | 'person' | 'moved'>,
  minutes: number,
  span: { from: number; to: number },
): PricedSlot[] {
  const { resource } = requested;
  const slots: PricedSlot[] = [];
  for (const start of listStarts(world.place, resource.grid, span.from, span.to)) {
    const end = findSlotEnd(world.place, resource, start, minutes);
    if (end === null || end > span.to) continue;
    const decision = decide(world, { ...requested, start, end, byMember: false, override: false });
    if (decision.allowed) slots.push({ start, end, price: decision.price });
  }
  return slots;
}

/** Up to three of the nearest slots of the same length, within seven days before and after the requested time. */
export function listAlternatives(
  world: World,
  requested: BookingRequest,
  minutes: number,
): PricedSlot[] {
  const { zone } = world.place;
  const span = {
    from: requested.start - 8 * DAY,
    to: requested.start + 9 * DAY + minutes * MINUTE,
  };
  // The guide leaves open whether seven days are elapsed or local time. The service takes local time.
  const wall = toWall(zone, requested.start);
  return listSlots(world, requested, minutes, span)
    .filter(({ start }) => Math.abs(toWall(zone, start) - wall) <= 7 * DAY)
    .sort((a, b) => Math.abs(a.start - requested.start) - Math.abs(b.start - requested.start))
    .slice(0, 3);
}
