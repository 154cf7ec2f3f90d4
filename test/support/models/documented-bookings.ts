import { countMinutes, isClosed, isOnGrid, isOpen } from './documented-bookings-hours.ts';
import { DAY, HOUR, MINUTE, toDay, toMonth } from './documented-bookings-time.ts';

/** The booking rules as docs/guides/bookings.md and the descriptions of the API state them, without code of the service. */

export type ResourceType = 'room' | 'desk' | 'equipment';

export interface Place {
  id: string;
  zone: string;
  /** Minutes since midnight; the weekday 1 is Monday. Without any the location is always open. */
  hours: { weekday: number; opens: number; closes: number }[];
  /** Days, both closed. */
  closures: { from: number; to: number }[];
}

export interface Bookable {
  id: string;
  type: ResourceType;
  hourly: number;
  min: number;
  max: number;
  grid: number;
  buffer: number;
  notice: number;
  daysAhead: number;
  freeHours: number;
  noShow: number | null;
  needsApproval: boolean;
  active: boolean;
}

interface Benefit {
  type: ResourceType;
  included: number;
  discount: number;
  limit: number | null;
}

export interface Contract {
  id: string;
  from: number;
  /** The last day. */
  to: number | null;
  benefits: Benefit[];
}

export interface Person {
  id: string;
  active: boolean;
  own: Contract[];
  team: Contract[];
}

export interface Booked {
  id: string;
  resource: Bookable;
  person: Person | null;
  start: number;
  end: number;
  occupiedUntil: number;
  status: 'PENDING' | 'CONFIRMED' | 'CANCELLED' | 'NO_SHOW';
  price: number;
  minutes: number;
  included: number;
  contract: Contract | null;
  month: string;
  checkedIn: boolean;
  /** When it was booked or last moved. */
  changedAt: number;
}

export interface World {
  now: number;
  place: Place;
  bookings: Booked[];
}

export interface BookingRequest {
  resource: Bookable;
  person: Person | null;
  start: number;
  end: number;
  byMember: boolean;
  override: boolean;
  /** The booking that is moved. */
  moved?: Booked | undefined;
}

interface Line {
  kind: 'ALLOWANCE' | 'MEMBER_RATE' | 'PUBLIC_RATE';
  minutes: number;
  amount: number;
  discountPercent: number;
}

export interface Decision {
  allowed: boolean;
  reasons: string[];
  status: 'PENDING' | 'CONFIRMED';
  minutes: number;
  included: number;
  price: number;
  lines: Line[];
  contract: Contract | null;
  month: string;
  freeUntil: number;
}

/** A member's own membership applies before the one of the team. */
function findContract(person: Person | null, day: number): Contract | null {
  const covers = ({ from, to }: Contract) => from <= day && (to === null || day <= to);
  return person?.own.find(covers) ?? person?.team.find(covers) ?? null;
}

/** What a membership has used in a month, by type of resource. Late cancellations keep the included minutes. */
export function countUsage(world: World, contract: Contract, month: string, except?: Booked) {
  const usage = new Map<ResourceType, { booked: number; included: number }>();
  for (const booking of world.bookings) {
    if (booking === except || booking.contract !== contract || booking.month !== month) continue;
    const used = usage.get(booking.resource.type) ?? { booked: 0, included: 0 };
    if (booking.status !== 'CANCELLED') used.booked += booking.minutes;
    used.included += booking.included;
    usage.set(booking.resource.type, used);
  }
  return usage;
}

/** The price of some minutes, rounded to the nearest minor unit. */
const toPrice = (hourly: number, minutes: number, discount: number) =>
  Math.round((hourly * minutes * (100 - discount)) / 6000);

interface Rate {
  hourly: number;
  minutes: number;
  included: number;
  benefit: Benefit | undefined;
}

function listLines({ hourly, minutes, included, benefit }: Rate): Line[] {
  const paid = minutes - included;
  const lines: Line[] = [];
  if (included > 0)
    lines.push({ kind: 'ALLOWANCE', minutes: included, amount: 0, discountPercent: 100 });
  const discountPercent = benefit?.discount ?? 0;
  if (paid > 0)
    lines.push({
      kind: discountPercent > 0 ? 'MEMBER_RATE' : 'PUBLIC_RATE',
      minutes: paid,
      amount: toPrice(hourly, paid, discountPercent),
      discountPercent,
    });
  return lines;
}

export const isLive = ({ status }: Booked) => status === 'PENDING' || status === 'CONFIRMED';

/** Two bookings with their buffers never overlap. */
function isTaken(world: World, { resource, start, end, moved }: BookingRequest): boolean {
  const until = end + resource.buffer * MINUTE;
  return world.bookings.some(
    (other) =>
      other !== moved &&
      other.resource === resource &&
      isLive(other) &&
      other.start < until &&
      start < other.occupiedUntil,
  );
}

/**
 * No resource allows bookings of more than a week. The service names hours and closures only up to this length; the documents do
 * not say so.
 */
const MAX_CHECKED_MINUTES = 7 * 1440;

const NOT_OVERRIDABLE = ['RESOURCE_INACTIVE', 'SLOT_TAKEN'];

/** The reason for which a request is rejected as a whole, or null. */
export function findInvalidity({ now }: World, { start, end }: BookingRequest): string | null {
  if (start % MINUTE !== 0 || end % MINUTE !== 0) return 'NOT_WHOLE_MINUTES';
  if (end === start) return 'ZERO_LENGTH';
  if (end < start) return 'ENDS_BEFORE_START';
  // Only messages name the limits of 31 days and of ten years; no document does.
  if (end - start > 31 * DAY) return 'TOO_LONG';
  if (Math.abs(start - now) > 11 * 365 * DAY) return 'TOO_FAR_AHEAD';
  return null;
}

/** Decides about a booking or a move. */
export function decide(world: World, requested: BookingRequest): Decision {
  const { place, now } = world;
  const { zone } = place;
  const { resource, person, start, end, override, moved } = requested;
  const minutes = countMinutes(zone, resource, start, end);
  const day = toDay(zone, start);
  const month = toMonth(day);
  const contract = findContract(person, day);
  const benefit = contract?.benefits.find(({ type }) => type === resource.type);
  const used = contract ? countUsage(world, contract, month, moved).get(resource.type) : undefined;
  const left = Math.max(0, (benefit?.included ?? 0) * 60 - (used?.included ?? 0));
  const isFree = toPrice(resource.hourly, minutes, benefit?.discount ?? 0) === 0;
  const included = isFree ? 0 : Math.min(minutes, left);
  const lines = listLines({ hourly: resource.hourly, minutes, included, benefit });

  const hasHours = minutes <= MAX_CHECKED_MINUTES;
  // The documents leave the order open.
  const violated: [string, boolean][] = [
    ['SLOT_TAKEN', isTaken(world, requested)],
    ['RESOURCE_INACTIVE', !resource.active],
    ['MEMBER_INACTIVE', person !== null && !person.active],
    ['CLOSED', hasHours && isClosed(place, start, end)],
    [
      'OUTSIDE_OPENING_HOURS',
      hasHours && !isClosed(place, start, end) && !isOpen(place, start, end),
    ],
    ['TOO_SHORT', minutes < resource.min],
    ['TOO_LONG', minutes > resource.max],
    ['NOT_ON_GRID', !isOnGrid(zone, resource, start, end, minutes)],
    ['TOO_SOON', start < now + resource.notice * MINUTE],
    ['TOO_FAR_AHEAD', day > toDay(zone, now) + resource.daysAhead],
    [
      'QUOTA_USED_UP',
      typeof benefit?.limit === 'number' && (used?.booked ?? 0) + minutes > benefit.limit * 60,
    ],
  ];
  const reasons = violated
    .filter(
      ([reason, isViolated]) => isViolated && !(override && !NOT_OVERRIDABLE.includes(reason)),
    )
    .map(([reason]) => reason);

  return {
    allowed: reasons.length === 0,
    reasons,
    status: findStatus(requested),
    minutes,
    included,
    price: lines.reduce((sum, { amount }) => sum + amount, 0),
    lines,
    contract,
    month,
    freeUntil: start - resource.freeHours * HOUR,
  };
}

/** Bookings and moves by members need approval; staff confirm what they book, and their moves keep the status. */
function findStatus({ byMember, resource, moved }: BookingRequest): 'PENDING' | 'CONFIRMED' {
  if (byMember && resource.needsApproval) return 'PENDING';
  return moved?.status === 'PENDING' ? 'PENDING' : 'CONFIRMED';
}
