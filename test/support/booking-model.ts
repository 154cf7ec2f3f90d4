import { Temporal } from 'temporal-polyfill';

// What bookings mean, said once more and as simply as possible: plain lists, walked minute by minute.

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

export interface Contract {
  included: number;
  discount: number;
  limit: number | null;
  /** The last day. */
  endsOn: string;
}

export interface Person {
  id: string;
  active: boolean;
  contract: Contract | null;
}

export interface Span {
  start: number;
  end: number;
}

export interface Held extends Span {
  id: string;
  room: Room;
  person: Person | null;
  until: number;
  contract: Contract | null;
  month: string;
  included: number;
  price: number;
  live: boolean;
}

export interface Model {
  now: number;
  rooms: Room[];
  people: Person[];
  /** From and to in minutes since midnight, by weekday; none: always open. */
  hours: [number, number][][] | null;
  closed: string[];
  bookings: Held[];
}

export interface Wish extends Span {
  room: Room;
  person: Person | null;
  override: boolean;
}

const walls = new Map<number, { date: string; minute: number; weekday: number }>();

export function wall(instant: number) {
  const known = walls.get(instant);
  if (known) return known;
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(ZONE);
  const { hour, minute, dayOfWeek: weekday } = zoned;
  const made = { date: zoned.toPlainDate().toString(), minute: hour * 60 + minute, weekday };
  walls.set(instant, made);
  return made;
}

const minutesOf = ({ start, end }: Span) => (end - start) / MINUTE;

function* minutesIn({ start, end }: Span) {
  for (let at = start; at < end; at += MINUTE) yield wall(at);
}

export const inTheWay = (model: Model, { room, start, end }: Wish, except: Held[] = []) =>
  model.bookings.filter(
    (other) =>
      other.live &&
      other.room === room &&
      !except.includes(other) &&
      other.start < end + room.buffer * MINUTE &&
      start < other.until,
  );

/** All that speaks against it, in the order in which it is told. */
export function reasonsAgainst(model: Model, wish: Wish, except: Held[] = []): string[] {
  const { room, person, start, override } = wish;
  const minutes = minutesOf(wish);
  const { contract, booked } = termsOf(model, wish, except);
  const physics = [
    inTheWay(model, wish, except).length > 0 && 'SLOT_TAKEN',
    !room.active && 'RESOURCE_INACTIVE',
  ];
  const policy = [
    person?.active === false && 'MEMBER_INACTIVE',
    shut(model, wish),
    minutes < room.min && 'TOO_SHORT',
    minutes > room.max && 'TOO_LONG',
    (wall(start).minute % room.grid !== 0 || minutes % room.grid !== 0) && 'NOT_ON_GRID',
    start < model.now + room.notice * MINUTE && 'TOO_SOON',
    daysBetween(model.now, start) > room.daysAhead && 'TOO_FAR_AHEAD',
    contract?.limit != null && booked + minutes > contract.limit && 'QUOTA_USED_UP',
  ];
  return [...physics, ...(override ? [] : policy)].filter((reason) => reason !== false);
}

function shut(model: Model, wish: Wish): string | false {
  const walk = [...minutesIn(wish)];
  if (walk.some(({ date }) => model.closed.includes(date))) return 'CLOSED';
  const { hours } = model;
  if (hours === null) return false;
  const isOpen = walk.every(({ minute, weekday }) =>
    hours[weekday]?.some(([opens, closes]) => opens <= minute && minute < closes),
  );
  return isOpen ? false : 'OUTSIDE_OPENING_HOURS';
}

const daysBetween = (from: number, to: number) =>
  (Date.parse(wall(floor(to)).date) - Date.parse(wall(floor(from)).date)) / DAY;
const floor = (instant: number) => Math.floor(instant / MINUTE) * MINUTE;

/** What the plan of whoever wishes has left in the month of the wish. */
function termsOf(model: Model, { person, start }: Wish, except: Held[]) {
  const { date } = wall(start);
  const month = date.slice(0, 7);
  const contract = person?.contract && date <= person.contract.endsOn ? person.contract : null;
  const theirs = model.bookings.filter(
    (other) => other.contract === contract && other.month === month && !except.includes(other),
  );
  const taken = theirs.reduce((sum, { included }) => sum + included, 0);
  return {
    contract,
    month,
    left: contract ? Math.max(0, contract.included - taken) : 0,
    booked: theirs.filter(({ live }) => live).reduce((sum, other) => sum + minutesOf(other), 0),
  };
}

/** The booking that a wish becomes. */
export function asHeld(model: Model, wish: Wish, id: string, except: Held[] = []): Held {
  const { room, person, start, end } = wish;
  const { contract, month, left } = termsOf(model, wish, except);
  const included = Math.min(left, minutesOf(wish));
  const percent = 100 - (contract?.discount ?? 0);
  const price = Math.round((room.hourly * (minutesOf(wish) - included) * percent) / 6_000);
  const until = end + room.buffer * MINUTE;
  return { id, room, person, start, end, until, contract, month, included, price, live: true };
}

/** Every slot of so many minutes within a span that anybody may have. */
export function slotsOf(model: Model, room: Room, span: Span, minutes: number): number[] {
  const starts: number[] = [];
  for (let start = span.start; start + minutes * MINUTE <= span.end; start += MINUTE) {
    if (wall(start).minute % room.grid !== 0) continue;
    const wish = { room, person: null, override: false, start, end: start + minutes * MINUTE };
    if (reasonsAgainst(model, wish).length === 0) starts.push(start);
  }
  return starts;
}

/** The three nearest to a wish, from a day before to a week after. */
export function nearestSlots(model: Model, wish: Wish): number[] {
  const span = { start: wish.start - DAY, end: wish.end + 7 * DAY - wish.room.buffer * MINUTE };
  const far = (start: number) => Math.abs(start - wish.start);
  return slotsOf(model, wish.room, span, minutesOf(wish))
    .sort((a, b) => far(a) - far(b) || a - b)
    .slice(0, 3);
}

/** The same wall-clock time some days later; null where the clocks skip it. */
export function daysLater(start: number, days: number): number | null {
  const local = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(ZONE);
  const wanted = local.toPlainDateTime().add({ days });
  const { epochMilliseconds } = wanted.toZonedDateTime(ZONE);
  const { minute } = wall(epochMilliseconds);
  return minute === wanted.hour * 60 + wanted.minute ? epochMilliseconds : null;
}
