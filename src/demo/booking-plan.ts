import { Temporal } from 'temporal-polyfill';
import type { BookingStatus } from '../db/generated/enums.ts';
import { habits, regulars } from './booking-habits.ts';
import type { Dice } from './dice.ts';
import type { Places, Resource } from './places.ts';

export type Planned = {
  resource: Resource;
  week: number;
  startsAt: Temporal.ZonedDateTime;
  endsAt: Temporal.ZonedDateTime;
  occupiedUntil: Temporal.ZonedDateTime;
  status: BookingStatus;
  title: string | null;
  regularEmail?: string;
};

const weeks = [-3, -2, -1, 0, 1, 2, 3];
const weekdays = [1, 2, 3, 4, 5, 6];
const saturday = 6;

export function planBookings(places: Places, dice: Dice): Planned[] {
  const bookable = Object.values(places.resources).filter((resource) => resource.active);
  return weeks.flatMap((week) =>
    weekdays.flatMap((weekday) =>
      bookable.flatMap((resource) => {
        const fixed = regularBookings(resource, week, weekday);
        return [...fixed, ...fillDay(resource, week, weekday, fixed, dice)];
      }),
    ),
  );
}

function regularBookings(resource: Resource, week: number, weekday: number): Planned[] {
  const { calendar } = resource.location;
  return regulars
    .filter((regular) => regular.resource === resource.slug && regular.weekday === weekday)
    .map(({ from, to, email, title }) => ({
      resource,
      week,
      ...slot(resource, calendar.at({ week, weekday }, from), calendar.at({ week, weekday }, to)),
      status: 'confirmed',
      title,
      regularEmail: email,
    }));
}

function fillDay(
  resource: Resource,
  week: number,
  weekday: number,
  fixed: Planned[],
  dice: Dice,
): Planned[] {
  const habit = habits[resource.slug];
  if (weekday === saturday && !habit.onSaturdays) return [];
  const [opens, closes] = weekday === saturday ? ['10:00', '16:00'] : ['09:00', '18:00'];
  const { calendar } = resource.location;
  const closesAt = calendar.at({ week, weekday }, closes);
  let free = calendar.at({ week, weekday }, opens).add({ minutes: dice.pick(habit.gaps) });

  const planned: Planned[] = [];
  for (;;) {
    const wanted = slot(resource, free, free.add({ minutes: dice.pick(habit.minutes) }));
    if (Temporal.ZonedDateTime.compare(wanted.endsAt, closesAt) > 0) return planned;
    const inTheWay = fixed.find((other) => overlap(wanted, other));
    if (inTheWay) {
      free = inTheWay.occupiedUntil;
      continue;
    }
    const status = statusIn(week, resource, dice);
    planned.push({ resource, week, ...wanted, status, title: dice.pick(habit.titles) });
    // What a cancellation gave back, somebody else may take.
    const next = status === 'cancelled' ? wanted.startsAt : wanted.occupiedUntil;
    free = next.add({ minutes: dice.pick(habit.gaps) });
  }
}

function statusIn(week: number, { requiresApproval }: Resource, dice: Dice): BookingStatus {
  if (dice.chance(0.07)) return 'cancelled';
  if (week < 0 && dice.chance(0.04)) return 'no_show';
  // The same throws of the dice wherever it is, and an answer only where somebody is asked.
  if (week > 0 && dice.chance(0.08)) return requiresApproval ? 'pending' : 'confirmed';
  return 'confirmed';
}

type Slot = Pick<Planned, 'startsAt' | 'endsAt' | 'occupiedUntil'>;

function slot(
  resource: Resource,
  startsAt: Temporal.ZonedDateTime,
  endsAt: Temporal.ZonedDateTime,
): Slot {
  return { startsAt, endsAt, occupiedUntil: endsAt.add({ minutes: resource.bufferMinutes }) };
}

function overlap(one: Slot, other: Slot): boolean {
  const { compare } = Temporal.ZonedDateTime;
  return (
    compare(one.startsAt, other.occupiedUntil) < 0 && compare(other.startsAt, one.occupiedUntil) < 0
  );
}
