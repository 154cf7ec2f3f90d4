import { releaseNoShows } from '../../../src/features/bookings/service/check-in-booking.ts';
import type { Credential } from '../clients/api.ts';
import {
  type Booked,
  type BookingRequest,
  countUsage,
  decide,
  isLive,
} from './documented-bookings.ts';
import {
  compare,
  compareRequest,
  counts,
  describeRequest,
} from './documented-bookings-comparisons.ts';
import { toEnd, toStart } from './documented-bookings-requested-times.ts';
import {
  cancelBooking,
  checkInBooking,
  confirmBooking,
  createBooking,
  describeBooked,
  findAvailability,
  listStatuses,
  moveBooking,
  previewBooking,
  previewMove,
  readUsage,
} from './documented-bookings-requests.ts';
import { listSlots } from './documented-bookings-slots.ts';
import type { Stage } from './documented-bookings-stage.ts';
import { DAY, HOUR, MINUTE, toTime } from './documented-bookings-time.ts';
import { type Step, WAITS } from './documented-bookings-worlds.ts';

/** Steps that ask the service and the model the same, and compare the answers. */

function findCaller(stage: Stage, step: Step): { as: Credential; byMember: boolean } {
  if (step.caller === 'member' && step.person !== 'guest')
    return { as: stage.sessions[step.person], byMember: true };
  return {
    as: step.caller === 'staff' ? stage.callers.staff : stage.callers.token,
    byMember: false,
  };
}

function toRequest(stage: Stage, step: Step, byMember: boolean): BookingRequest {
  const resource = stage.resources[step.resource] ?? stage.resources[0];
  if (!resource) throw new Error('the world has no resource');
  const start = toStart(stage, step, resource);
  return {
    resource,
    person: step.person === 'guest' ? null : stage.people[step.person],
    start,
    end: toEnd(stage, step, resource, start),
    byMember,
    override: step.override && !byMember,
  };
}

function remember(stage: Stage, requested: BookingRequest, id: string): Booked {
  const decision = decide(stage.world, requested);
  const { resource, person, start, end, moved } = requested;
  const { status, price, minutes, included, contract, month } = decision;
  const occupiedUntil = end + resource.buffer * MINUTE;
  const made = {
    ...{ id, resource, person, start, end, occupiedUntil, checkedIn: moved?.checkedIn ?? false },
    ...{ status, price, minutes, included, contract, month },
    changedAt: stage.world.now,
  };
  if (moved) return Object.assign(moved, made);
  stage.world.bookings.push(made);
  return made;
}

async function book(stage: Stage, step: Step): Promise<void> {
  const { as, byMember } = findCaller(stage, step);
  const requested = toRequest(stage, step, byMember);
  const preview = await previewBooking(stage, as, requested);
  const committed = await compareRequest(stage, requested, preview, () =>
    createBooking(stage, as, requested),
  );
  if (committed) remember(stage, requested, committed.value.booking.id);
  const [nearest] = preview.value?.alternatives ?? [];
  if (nearest && step.pick % 3 === 0) await bookAlternative(stage, requested, as, nearest);
}

/** Books the nearest time that a preview named, and cancels it. */
async function bookAlternative(
  stage: Stage,
  requested: BookingRequest,
  as: Credential,
  { startsAt, endsAt }: { startsAt: string; endsAt: string },
): Promise<void> {
  const other = {
    ...requested,
    start: Date.parse(startsAt),
    end: Date.parse(endsAt),
    override: false,
  };
  const preview = await previewBooking(stage, as, other);
  const committed = await compareRequest(stage, other, preview, () =>
    createBooking(stage, as, other),
  );
  compare(stage, 'booked alternative', describeRequest(other), committed !== null, true);
  if (!committed) return;
  const booked = remember(stage, other, committed.value.booking.id);
  await cancel(stage, booked, stage.callers.token, true);
}

/** The longest slots that `availability` accepts. */
const MAX_SLOT_MINUTES = 31 * 1440;

/** Lists the slots of a few days and books one of them. */
async function offer(stage: Stage, step: Step): Promise<void> {
  const { world } = stage;
  const { as, byMember } = findCaller(stage, step);
  const requested = { ...toRequest(stage, step, byMember), override: false };
  const minutes = Math.min(MAX_SLOT_MINUTES, step.length * requested.resource.grid);
  const from = Math.floor((requested.start - DAY) / MINUTE) * MINUTE;
  const span = { from, to: from + (requested.resource.grid >= 240 ? 6 : 3) * DAY };
  const { error, value } = await findAvailability(stage, as, {
    resourceId: requested.resource.id,
    from: toTime(span.from),
    to: toTime(span.to),
    minutes,
    ...(byMember || !requested.person ? {} : { memberId: requested.person.id }),
  });
  const situation = { requested: describeRequest(requested), minutes, from: toTime(span.from) };
  const { active, min, max } = requested.resource;
  if (active && (minutes < min || minutes > max)) {
    const rejection = { code: 'BAD_REQUEST', reason: 'INVALID_INPUT', reasons: null };
    compare(stage, 'slots', situation, error ?? value[0]?.slots ?? [], rejection);
    return;
  }
  const slots = listSlots(world, requested, minutes, span);
  const expected = slots.map(({ start, end, price }) => ({
    startsAt: toTime(start),
    endsAt: toTime(end),
    price: { amount: price },
  }));
  compare(stage, 'slots', situation, error ?? value[0]?.slots ?? [], expected);
  counts.slot = (counts.slot ?? 0) + slots.length;
  const slot = slots[step.pick % Math.max(1, slots.length)];
  if (!slot) return;
  const taken = { ...requested, start: slot.start, end: slot.end };
  const preview = await previewBooking(stage, as, taken);
  compare(stage, 'offered slot', situation, preview.value?.allowed, true);
  compare(stage, 'offered price', situation, preview.value?.price.amount, slot.price);
  const committed = await compareRequest(stage, taken, preview, () =>
    createBooking(stage, as, taken),
  );
  if (!committed) return;
  const booked = remember(stage, taken, committed.value.booking.id);
  if (step.pick % 2 === 0) await cancel(stage, booked, stage.callers.token, true);
}

/** A booking that callers can change: live and not begun. */
function pickUpcoming(stage: Stage, step: Step): Booked | undefined {
  const upcoming = stage.world.bookings.filter(
    (booking) => isLive(booking) && booking.start > stage.world.now,
  );
  return upcoming[step.pick % Math.max(1, upcoming.length)];
}

/** The holder's session, if the step is by a member and the holder can change bookings. */
function findChanger(stage: Stage, step: Step, { person }: Booked) {
  const name = (['own', 'shared', 'planless'] as const).find((one) => stage.people[one] === person);
  return findCaller(stage, { ...step, person: name ?? 'guest' });
}

const findFreeUntil = ({ start, resource }: Booked) => start - resource.freeHours * HOUR;

async function move(stage: Stage, step: Step): Promise<void> {
  const moved = pickUpcoming(stage, step);
  if (!moved) return;
  const { as, byMember } = findChanger(stage, step, moved);
  const requested = { ...toRequest(stage, step, byMember), person: moved.person, moved };
  const preview = await previewMove(stage, as, requested);
  if (byMember && moved.status === 'CONFIRMED' && stage.world.now > findFreeUntil(moved)) {
    const situation = { requested: describeRequest(requested) };
    const { error } = await moveBooking(stage, as, requested);
    compare(stage, 'late move', situation, error?.reason, 'DEADLINE_PASSED');
    compare(stage, 'late move', situation, preview.error, error);
    return;
  }
  const committed = await compareRequest(stage, requested, preview, () =>
    moveBooking(stage, as, requested),
  );
  if (committed) remember(stage, requested, moved.id);
}

async function cancel(
  stage: Stage,
  booking: Booked,
  as: Credential,
  waiveFee: boolean,
): Promise<void> {
  const isFree = booking.status === 'PENDING' || stage.world.now <= findFreeUntil(booking);
  const { error, value } = await cancelBooking(stage, as, booking.id, waiveFee);
  const fee = isFree || waiveFee ? 0 : booking.price;
  compare(
    stage,
    'cancellation',
    { booking: describeBooked(booking), waiveFee },
    error ?? [value.booking.status, value.booking.cancellation.fee.amount],
    ['CANCELLED', fee],
  );
  booking.status = 'CANCELLED';
  if (isFree || waiveFee) booking.included = 0;
}

async function approve(stage: Stage, step: Step): Promise<void> {
  const booking = pickUpcoming(stage, step);
  if (!booking) return;
  const { error, value } = await confirmBooking(stage, stage.callers.token, booking.id);
  const expected = booking.status === 'PENDING' ? 'CONFIRMED' : 'NOT_PENDING';
  const situation = { booking: describeBooked(booking) };
  compare(stage, 'approval', situation, error?.reason ?? value.booking.status, expected);
  booking.status = 'CONFIRMED';
}

/** Nobody can check in more than an hour before the start, or for a booking that is not approved. */
async function checkIn(stage: Stage, step: Step): Promise<void> {
  const { world } = stage;
  const running = world.bookings.filter(
    (one) => isLive(one) && one.start - HOUR <= world.now && world.now < one.end,
  );
  const booking = running[step.pick % Math.max(1, running.length)];
  if (!booking || booking.checkedIn) return;
  const { error, value } = await checkInBooking(stage, stage.callers.token, booking.id);
  compare(
    stage,
    'check-in',
    { booking: describeBooked(booking) },
    error?.reason ?? value.booking.checkedInAt,
    booking.status === 'PENDING' ? 'AWAITING_APPROVAL' : toTime(world.now),
  );
  booking.checkedIn = booking.status === 'CONFIRMED';
}

/** Moves the clock and releases no-shows. */
async function wait(stage: Stage, step: Step): Promise<void> {
  const { world, app } = stage;
  world.now += WAITS[step.pick % WAITS.length] ?? 0;
  app.clock.now = new Date(world.now);
  await releaseNoShows(app.ctx);
  for (const booking of world.bookings) {
    const { noShow } = booking.resource;
    if (booking.status !== 'CONFIRMED' || booking.checkedIn || noShow === null) continue;
    if (world.now >= booking.end) continue;
    const awaitedFrom = Math.max(booking.start, booking.changedAt);
    if (world.now >= awaitedFrom + noShow * MINUTE) booking.status = 'NO_SHOW';
  }
}

async function compareState(stage: Stage, step: Step): Promise<void> {
  const { world } = stage;
  const situation = { after: step.kind };
  if (world.bookings.length > 0)
    compare(
      stage,
      'bookings',
      situation,
      await listStatuses(stage),
      world.bookings.map(describeBooked),
    );
  for (const { id, month, usage } of await readUsage(stage)) {
    const contract = stage.contracts.find((one) => one.id === id);
    if (!contract) throw new Error(`the world has no membership ${id}`);
    const expected = [...countUsage(world, contract, month)].map(([type, used]) => ({
      resourceType: type.toUpperCase(),
      bookedMinutes: used.booked,
      includedMinutes: used.included,
    }));
    const byType = (a: { resourceType: string }, b: { resourceType: string }) =>
      a.resourceType < b.resourceType ? -1 : 1;
    compare(stage, 'usage', { ...situation, month }, usage.sort(byType), expected.sort(byType));
  }
}

export async function runStep(stage: Stage, step: Step): Promise<void> {
  if (step.kind === 'book') await book(stage, step);
  if (step.kind === 'offer') await offer(stage, step);
  if (step.kind === 'move') await move(stage, step);
  if (step.kind === 'cancel') {
    const booking = pickUpcoming(stage, step);
    if (booking) {
      const { as, byMember } = findChanger(stage, step, booking);
      await cancel(stage, booking, as, step.waiveFee && !byMember);
    }
  }
  if (step.kind === 'approve') await approve(stage, step);
  if (step.kind === 'checkIn') await checkIn(stage, step);
  if (step.kind === 'wait') await wait(stage, step);
  await compareState(stage, step);
}
