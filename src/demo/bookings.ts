import { Temporal } from 'temporal-polyfill';
import { v7 } from 'uuid';
import type { Context } from '../context.ts';
import type { BookingStatus } from '../db/generated/enums.ts';
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
  places: DemoSpaces,
  members: DemoMember[],
): Promise<void> {
  const dice = createSeededRandom(20);
  const nextBooker = createBookerQueue(members, dice);
  const planned = planBookings(places, dice);
  await ctx.db.booking.createMany({
    data: planned.map((booking) => ({
      ...toDemoBooking(booking),
      ...nextBooker(booking),
      ...createHistory(booking, dice),
      notes: dice.chance(0.05) ? dice.pick(bookingNotes) : null,
    })),
  });
}

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

/** When it was made and perhaps cancelled: always before this week began, so never after now. */
function createHistory({ startsAt, status, week }: PlannedBooking, dice: SeededRandom) {
  const weeksAhead = Math.max(week + 1, 1);
  const madeAt = startsAt.subtract({ weeks: weeksAhead, days: dice.pick([1, 2, 3, 4, 5]) });
  const createdAt = toDate(madeAt);
  if (status !== 'cancelled') return { createdAt, updatedAt: createdAt };
  const cancelledAt = toDate(madeAt.add({ hours: dice.pick([1, 2, 5, 9]) }));
  const cancelReason = dice.pick(cancelReasons);
  return { createdAt, updatedAt: cancelledAt, cancelledAt, cancelReason };
}

/** Members of the place take turns, so that nobody sits in two rooms at once. */
function createBookerQueue(members: DemoMember[], dice: SeededRandom) {
  const regularEmails = new Set(recurringBookings.map(({ email }) => email));
  const queue = members.filter(({ email }) => !regularEmails.has(email));

  const nextInQueue = (location: LocationSlug, week: number) => {
    // Who has paused or left since was still here in the first of these weeks.
    const next = queue.findIndex(
      ({ home, status }) => home === location && (status === 'active' || week === -3),
    );
    queue.push(...queue.splice(next, 1));
    return queue.at(-1);
  };

  return ({ resource, recurringEmail, week }: PlannedBooking) => {
    if (!recurringEmail && dice.chance(0.08)) return dice.pick(bookingGuests);
    const member = recurringEmail
      ? members.find(({ email }) => email === recurringEmail)
      : nextInQueue(resource.locationSlug, week);
    if (!member) throw new Error(`The demo space has no member ${recurringEmail}`);
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

function planBookings(places: DemoSpaces, dice: SeededRandom): PlannedBooking[] {
  const bookable = Object.values(places.resources).filter((resource) => resource.active);
  return WEEKS.flatMap((week) =>
    OPEN_WEEKDAYS.flatMap((weekday) =>
      bookable.flatMap((resource) => {
        const fixed = planRecurringBookings(resource, week, weekday);
        return [...fixed, ...planDay(resource, week, weekday, fixed, dice)];
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
    .filter((regular) => regular.resource === resource.slug && regular.weekday === weekday)
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
  dice: SeededRandom,
): PlannedBooking[] {
  const habit = bookingPatterns[resource.slug];
  if (weekday === SATURDAY && !habit.onSaturdays) return [];
  const [opens, closes] = weekday === SATURDAY ? ['10:00', '16:00'] : ['09:00', '18:00'];
  const { calendar } = resource.location;
  const closesAt = calendar.at({ week, weekday }, closes);
  let free = calendar.at({ week, weekday }, opens).add({ minutes: dice.pick(habit.gaps) });

  const planned: PlannedBooking[] = [];
  for (;;) {
    const wanted = createSlot(resource, free, free.add({ minutes: dice.pick(habit.minutes) }));
    if (Temporal.ZonedDateTime.compare(wanted.endsAt, closesAt) > 0) return planned;
    const inTheWay = fixed.find((other) => areSlotsOverlapping(wanted, other));
    if (inTheWay) {
      free = inTheWay.occupiedUntil;
      continue;
    }
    const status = pickStatus(week, resource, dice);
    planned.push({ resource, week, ...wanted, status, title: dice.pick(habit.titles) });
    // What a cancellation gave back, somebody else may take.
    const next = status === 'cancelled' ? wanted.startsAt : wanted.occupiedUntil;
    free = next.add({ minutes: dice.pick(habit.gaps) });
  }
}

function pickStatus(
  week: number,
  { requiresApproval }: DemoResource,
  dice: SeededRandom,
): BookingStatus {
  if (dice.chance(0.07)) return 'cancelled';
  if (week < 0 && dice.chance(0.04)) return 'no_show';
  // The same throws of the dice wherever it is, and an answer only where somebody is asked.
  if (week > 0 && dice.chance(0.08)) return requiresApproval ? 'pending' : 'confirmed';
  return 'confirmed';
}

type PlannedSlot = Pick<PlannedBooking, 'startsAt' | 'endsAt' | 'occupiedUntil'>;

function createSlot(
  resource: DemoResource,
  startsAt: Temporal.ZonedDateTime,
  endsAt: Temporal.ZonedDateTime,
): PlannedSlot {
  return { startsAt, endsAt, occupiedUntil: endsAt.add({ minutes: resource.bufferMinutes }) };
}

function areSlotsOverlapping(one: PlannedSlot, other: PlannedSlot): boolean {
  const { compare } = Temporal.ZonedDateTime;
  return (
    compare(one.startsAt, other.occupiedUntil) < 0 && compare(other.startsAt, one.occupiedUntil) < 0
  );
}
