import { Temporal } from 'temporal-polyfill';
import { v7 } from 'uuid';
import type { Context } from '../context.ts';
import { hasOverlap, type TimeRange } from '../core/time/time-range.ts';
import { toZonedDateTime } from '../core/time/time-zone.ts';
import type { BookingStatus } from '../db/generated/enums.ts';
import { toOccupiedRange } from '../features/spaces/types.ts';
import {
  bookingGuests,
  bookingNotes,
  bookingPatterns,
  cancelReasons,
  recurringBookings,
} from './booking-patterns.ts';
import { toDate } from './calendar.ts';
import type { DemoResource, DemoSpaces, LocationSlug } from './locations.ts';
import type { DemoMember } from './people.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';

export async function addBookings(
  ctx: Context,
  spaces: DemoSpaces,
  members: DemoMember[],
): Promise<void> {
  const random = createSeededRandom(20);
  const pickBooker = createBookerPicker(members, random);
  const planned = planBookings(spaces, random);
  const bookings = planned.map((booking) => ({
    ...toDemoBooking(booking),
    ...pickBooker(booking),
    ...createHistory(booking, random),
    notes: random.chance(0.05) ? random.pick(bookingNotes) : null,
  }));
  await ctx.db.booking.createMany({ data: bookings });
  await ctx.db.payment.createMany({ data: createPayments(ctx, bookings) });
}

/** Most holders have paid when they came. */
function createPayments(ctx: Context, bookings: DemoBooking[]) {
  const random = createSeededRandom(21);
  return bookings
    .filter(({ status, priceAmount, startsAt }) => {
      const isPaid = random.chance(0.85);
      return isPaid && status === 'confirmed' && priceAmount > 0 && startsAt < ctx.now();
    })
    .map(({ id, priceAmount, priceCurrency, startsAt }) => ({
      id: v7(),
      bookingId: id,
      provider: 'on_site' as const,
      ref: `booking:${id}:1`,
      amount: priceAmount,
      currency: priceCurrency,
      method: random.pick(['cash', 'card', 'card', 'other'] as const),
      createdAt: startsAt,
    }));
}

type DemoBooking = ReturnType<typeof toDemoBooking>;

function toDemoBooking({
  resource,
  startsAt,
  endsAt,
  occupiedUntil,
  status,
  title,
}: PlannedBooking) {
  const hours = startsAt.until(endsAt).total('hours');
  return {
    id: v7(),
    resourceId: resource.id,
    locationId: resource.location.id,
    status,
    title,
    startsAt: toDate(startsAt),
    endsAt: toDate(endsAt),
    occupiedUntil: toDate(occupiedUntil),
    priceAmount: Math.round(resource.hourlyAmount * hours),
    priceCurrency: 'EUR',
  };
}

/** Chooses when a booking was created and cancelled: before the current week, and so never in the future. */
function createHistory({ startsAt, status, week }: PlannedBooking, random: SeededRandom) {
  const weeksAhead = Math.max(week + 1, 1);
  const bookedAt = startsAt.subtract({ weeks: weeksAhead, days: random.pick([1, 2, 3, 4, 5]) });
  const createdAt = toDate(bookedAt);
  if (status !== 'cancelled') return { createdAt, updatedAt: createdAt };
  const cancelledAt = toDate(bookedAt.add({ hours: random.pick([1, 2, 5, 9]) }));
  const cancelReason = random.pick(cancelReasons);
  return { createdAt, updatedAt: cancelledAt, cancelledAt, cancelReason };
}

/** Assigns bookings to the members of a location in turn, so that nobody is in two rooms at once. */
function createBookerPicker(members: DemoMember[], random: SeededRandom) {
  const recurringEmails = new Set(recurringBookings.map(({ email }) => email));
  const queue = members.filter(({ email }) => !recurringEmails.has(email));

  const findNextMember = (location: LocationSlug, week: number) => {
    // Members who have paused or left since were active in the first of these weeks.
    const next = queue.findIndex(
      ({ home, status }) => home === location && (status === 'active' || week === WEEKS[0]),
    );
    queue.push(...queue.splice(next, 1));
    return queue.at(-1);
  };

  return ({ resource, recurringEmail, week }: PlannedBooking) => {
    if (!recurringEmail && random.chance(0.08)) return random.pick(bookingGuests);
    const member = recurringEmail
      ? members.find(({ email }) => email === recurringEmail)
      : findNextMember(resource.locationSlug, week);
    if (!member) throw new Error(`The sample data has no member ${recurringEmail}`);
    return { memberId: member.id };
  };
}

type PlannedBooking = {
  resource: DemoResource;
  week: number;
  startsAt: Temporal.ZonedDateTime;
  endsAt: Temporal.ZonedDateTime;
  occupiedUntil: Temporal.ZonedDateTime;
  status: BookingStatus;
  title: string | null;
  recurringEmail?: string;
};

const WEEKS = [-3, -2, -1, 0, 1, 2, 3];
const OPEN_WEEKDAYS = [1, 2, 3, 4, 5, 6];
const SATURDAY = 6;

function planBookings(spaces: DemoSpaces, random: SeededRandom): PlannedBooking[] {
  const bookable = Object.values(spaces.resources).filter((resource) => resource.active);
  return WEEKS.flatMap((week) =>
    OPEN_WEEKDAYS.flatMap((weekday) =>
      bookable.flatMap((resource) => {
        const fixed = planRecurringBookings(resource, week, weekday);
        return [...fixed, ...planDay(resource, week, weekday, fixed, random)];
      }),
    ),
  );
}

function planRecurringBookings(
  resource: DemoResource,
  week: number,
  weekday: number,
): PlannedBooking[] {
  const { calendar } = resource.location;
  return recurringBookings
    .filter((recurring) => recurring.resource === resource.slug && recurring.weekday === weekday)
    .map(({ from, to, email, title }) => ({
      resource,
      week,
      ...createSlot(
        resource,
        calendar.at({ week, weekday }, from),
        calendar.at({ week, weekday }, to),
      ),
      status: 'confirmed',
      title,
      recurringEmail: email,
    }));
}

function planDay(
  resource: DemoResource,
  week: number,
  weekday: number,
  fixed: PlannedBooking[],
  random: SeededRandom,
): PlannedBooking[] {
  const pattern = bookingPatterns[resource.slug];
  if (weekday === SATURDAY && !pattern.onSaturdays) return [];
  const [opens, closes] = weekday === SATURDAY ? ['10:00', '16:00'] : ['09:00', '18:00'];
  const { calendar } = resource.location;
  const closesAt = calendar.at({ week, weekday }, closes);
  let free = calendar.at({ week, weekday }, opens).add({ minutes: random.pick(pattern.gaps) });

  const planned: PlannedBooking[] = [];
  for (;;) {
    const slot = createSlot(resource, free, free.add({ minutes: random.pick(pattern.minutes) }));
    if (Temporal.ZonedDateTime.compare(slot.endsAt, closesAt) > 0) return planned;
    const conflict = fixed.find((other) => hasOverlap(toOccupiedTime(slot), toOccupiedTime(other)));
    if (conflict) {
      free = conflict.occupiedUntil;
      continue;
    }
    const status = pickStatus(week, resource, random);
    planned.push({ resource, week, ...slot, status, title: random.pick(pattern.titles) });
    // The time of a cancelled booking is free for another one.
    const next = status === 'cancelled' ? slot.startsAt : slot.occupiedUntil;
    free = next.add({ minutes: random.pick(pattern.gaps) });
  }
}

function pickStatus(
  week: number,
  { requiresApproval }: DemoResource,
  random: SeededRandom,
): BookingStatus {
  if (random.chance(0.07)) return 'cancelled';
  if (week < 0 && random.chance(0.04)) return 'no_show';
  // Draws a number for every resource, so that the following draws do not depend on the approval rule.
  if (week > 0 && random.chance(0.08)) return requiresApproval ? 'pending' : 'confirmed';
  return 'confirmed';
}

type PlannedSlot = Pick<PlannedBooking, 'startsAt' | 'endsAt' | 'occupiedUntil'>;

function createSlot(
  resource: DemoResource,
  startsAt: Temporal.ZonedDateTime,
  endsAt: Temporal.ZonedDateTime,
): PlannedSlot {
  const { end } = toOccupiedRange(resource, {
    start: startsAt.epochMilliseconds,
    end: endsAt.epochMilliseconds,
  });
  return { startsAt, endsAt, occupiedUntil: toZonedDateTime(end, endsAt.timeZoneId) };
}

const toOccupiedTime = ({ startsAt, occupiedUntil }: PlannedSlot): TimeRange => ({
  start: startsAt.epochMilliseconds,
  end: occupiedUntil.epochMilliseconds,
});
