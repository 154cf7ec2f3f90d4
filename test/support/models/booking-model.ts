import { Temporal } from 'temporal-polyfill';

// A second implementation of the booking rules, as simple as possible: plain lists, checked minute by minute.

export const ZONE = 'Europe/Berlin';
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Room {
  id: string;
  hourly: number;
  min: number;
  max: number;
  grid: number;
  buffer: number;
  notice: number;
  daysAhead: number;
  freeHours: number;
  active: boolean;
}

export interface ModelPlan {
  included: number;
  discount: number;
  limit: number | null;
  /** The last day. */
  endsOn: string;
}

export interface Person {
  id: string;
  active: boolean;
  plan: ModelPlan | null;
}

export interface Span {
  start: number;
  end: number;
}

export interface ModelBooking extends Span {
  id: string;
  room: Room;
  person: Person | null;
  until: number;
  plan: ModelPlan | null;
  month: string;
  included: number;
  price: number;
  isLive: boolean;
}

export interface Model {
  now: number;
  rooms: Room[];
  people: Person[];
  /** From and to in minutes since midnight, by weekday. Null: always open. */
  hours: [number, number][][] | null;
  closed: string[];
  bookings: ModelBooking[];
}

export interface BookingRequest extends Span {
  room: Room;
  person: Person | null;
  override: boolean;
}

const wallTimes = new Map<number, { date: string; minute: number; weekday: number }>();

function toWallTime(instant: number) {
  const cached = wallTimes.get(instant);
  if (cached) return cached;
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(ZONE);
  const { hour, minute, dayOfWeek: weekday } = zoned;
  const made = { date: zoned.toPlainDate().toString(), minute: hour * 60 + minute, weekday };
  wallTimes.set(instant, made);
  return made;
}

const toMinutes = ({ start, end }: Span) => (end - start) / MINUTE;

function* minutesIn({ start, end }: Span) {
  for (let at = start; at < end; at += MINUTE) yield toWallTime(at);
}

export const findConflicts = (
  model: Model,
  { room, start, end }: BookingRequest,
  except: ModelBooking[] = [],
) =>
  model.bookings.filter(
    (other) =>
      other.isLive &&
      other.room === room &&
      !except.includes(other) &&
      other.start < end + room.buffer * MINUTE &&
      start < other.until,
  );

/** Returns all violations in the order of the service. */
export function findViolations(
  model: Model,
  request: BookingRequest,
  except: ModelBooking[] = [],
): string[] {
  const { room, person, start, override } = request;
  const minutes = toMinutes(request);
  const { plan, booked } = findEntitlement(model, request, except);
  const conflicts = [
    findConflicts(model, request, except).length > 0 && 'SLOT_TAKEN',
    !room.active && 'RESOURCE_INACTIVE',
  ];
  const violations = [
    person?.active === false && 'MEMBER_INACTIVE',
    findClosure(model, request),
    minutes < room.min && 'TOO_SHORT',
    minutes > room.max && 'TOO_LONG',
    (toWallTime(start).minute % room.grid !== 0 || minutes % room.grid !== 0) && 'NOT_ON_GRID',
    start < model.now + room.notice * MINUTE && 'TOO_SOON',
    daysBetween(model.now, start) > room.daysAhead && 'TOO_FAR_AHEAD',
    plan?.limit != null && booked + minutes > plan.limit && 'QUOTA_USED_UP',
  ];
  return [...conflicts, ...(override ? [] : violations)].filter((reason) => reason !== false);
}

function findClosure(model: Model, request: BookingRequest): string | false {
  const walk = [...minutesIn(request)];
  if (walk.some(({ date }) => model.closed.includes(date))) return 'CLOSED';
  const { hours } = model;
  if (hours === null) return false;
  const isOpen = walk.every(({ minute, weekday }) =>
    hours[weekday]?.some(([opens, closes]) => opens <= minute && minute < closes),
  );
  return isOpen ? false : 'OUTSIDE_OPENING_HOURS';
}

const daysBetween = (from: number, to: number) =>
  (Date.parse(toWallTime(floor(to)).date) - Date.parse(toWallTime(floor(from)).date)) / DAY;
const floor = (instant: number) => Math.floor(instant / MINUTE) * MINUTE;

/** Finds the plan for a request and what it has left in that month. */
function findEntitlement(model: Model, { person, start }: BookingRequest, except: ModelBooking[]) {
  const { date } = toWallTime(start);
  const month = date.slice(0, 7);
  const plan = person?.plan && date <= person.plan.endsOn ? person.plan : null;
  const sharedBookings = model.bookings.filter(
    (other) => other.plan === plan && other.month === month && !except.includes(other),
  );
  const usedMinutes = sharedBookings.reduce((sum, { included }) => sum + included, 0);
  return {
    plan,
    month,
    left: plan ? Math.max(0, plan.included - usedMinutes) : 0,
    booked: sharedBookings
      .filter(({ isLive }) => isLive)
      .reduce((sum, other) => sum + toMinutes(other), 0),
  };
}

/** Converts a request to the booking that it creates. */
export function toModelBooking(
  model: Model,
  request: BookingRequest,
  id: string,
  except: ModelBooking[] = [],
): ModelBooking {
  const { room, person, start, end } = request;
  const { plan, month, left } = findEntitlement(model, request, except);
  const included = Math.min(left, toMinutes(request));
  const percent = 100 - (plan?.discount ?? 0);
  const price = Math.round((room.hourly * (toMinutes(request) - included) * percent) / 6_000);
  const until = end + room.buffer * MINUTE;
  return { id, room, person, start, end, until, plan, month, included, price, isLive: true };
}

/** Finds all slots of this length within a span that the person can book, or anyone. */
export function findFreeSlots(
  model: Model,
  { room, person }: Pick<BookingRequest, 'room' | 'person'>,
  span: Span,
  minutes: number,
): number[] {
  const starts: number[] = [];
  for (let start = span.start; start + minutes * MINUTE <= span.end; start += MINUTE) {
    if (toWallTime(start).minute % room.grid !== 0) continue;
    const request = { room, person, override: false, start, end: start + minutes * MINUTE };
    if (findViolations(model, request).length === 0) starts.push(start);
  }
  return starts;
}

/** Finds the three free slots nearest to a request, from a week before to a week after. */
export function findNearestSlots(model: Model, request: BookingRequest): number[] {
  const span = {
    start: request.start - 7 * DAY,
    end: request.end + 7 * DAY - request.room.buffer * MINUTE,
  };
  const far = (start: number) => Math.abs(start - request.start);
  return findFreeSlots(model, request, span, toMinutes(request))
    .sort((a, b) => far(a) - far(b) || a - b)
    .slice(0, 3);
}

/** The same local time some days later, or null if the clocks skip it. */
export function addDays(start: number, days: number): number | null {
  const local = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(ZONE);
  const target = local.toPlainDateTime().add({ days });
  const { epochMilliseconds } = target.toZonedDateTime(ZONE);
  const { minute } = toWallTime(epochMilliseconds);
  return minute === target.hour * 60 + target.minute ? epochMilliseconds : null;
}
