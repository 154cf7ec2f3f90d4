import { v7 } from 'uuid';
import type { Ctx } from '../context.ts';
import { cancelReasons, guests, notes, regulars } from './booking-habits.ts';
import { type Planned, planBookings } from './booking-plan.ts';
import { toDate } from './calendar.ts';
import { type Dice, loadedDice } from './dice.ts';
import type { LocationSlug } from './inventory.ts';
import type { Member } from './people.ts';
import type { Places } from './places.ts';

export async function addBookings(ctx: Ctx, places: Places, members: Member[]): Promise<void> {
  const dice = loadedDice(20);
  const nextBooker = takingTurns(members, dice);
  const planned = planBookings(places, dice);
  await ctx.db.booking.createMany({
    data: planned.map((booking) => ({
      ...rowOf(booking),
      ...nextBooker(booking),
      ...historyOf(booking, dice),
      notes: dice.chance(0.05) ? dice.pick(notes) : null,
    })),
  });
}

function rowOf({ resource, startsAt, endsAt, occupiedUntil, status, title }: Planned) {
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
function historyOf({ startsAt, status, week }: Planned, dice: Dice) {
  const weeksAhead = Math.max(week + 1, 1);
  const madeAt = startsAt.subtract({ weeks: weeksAhead, days: dice.pick([1, 2, 3, 4, 5]) });
  const createdAt = toDate(madeAt);
  if (status !== 'cancelled') return { createdAt, updatedAt: createdAt };
  const cancelledAt = toDate(madeAt.add({ hours: dice.pick([1, 2, 5, 9]) }));
  const cancelReason = dice.pick(cancelReasons);
  return { createdAt, updatedAt: cancelledAt, cancelledAt, cancelReason };
}

/** Members of the place take turns, so that nobody sits in two rooms at once. */
function takingTurns(members: Member[], dice: Dice) {
  const regularEmails = new Set(regulars.map(({ email }) => email));
  const queue = members.filter(({ email }) => !regularEmails.has(email));

  const nextInQueue = (location: LocationSlug, week: number) => {
    // Who has paused or left since was still here in the first of these weeks.
    const next = queue.findIndex(
      ({ home, status }) => home === location && (status === 'active' || week === -3),
    );
    queue.push(...queue.splice(next, 1));
    return queue.at(-1);
  };

  return ({ resource, regularEmail, week }: Planned) => {
    if (!regularEmail && dice.chance(0.08)) return dice.pick(guests);
    const member = regularEmail
      ? members.find(({ email }) => email === regularEmail)
      : nextInQueue(resource.locationSlug, week);
    if (!member) throw new Error(`The demo space has no member ${regularEmail}`);
    return { memberId: member.id };
  };
}
