import { seesAll } from '../../../auth/viewer.ts';
import type { Ctx } from '../../../context.ts';
import { DomainError, Overtaken } from '../../../errors.ts';
import { type Instant, instantOf, type Money } from '../../../values.ts';
import type { BookingStatus } from '../booking.ts';
import { type Clock, clockOf } from '../policy/clock.ts';
import type { Busy } from '../policy/ground.ts';
import { lengthOf } from '../policy/length.ts';
import type { PriceLine } from '../policy/price.ts';
import { isOverridable, type Objection, type Reason } from '../policy/reasons.ts';
import { freeSlots, nearest } from '../policy/slots.ts';
import { MINUTE, type Span } from '../policy/span.ts';
import { around, type Considered } from './consider.ts';

export interface Slot {
  startsAt: Instant;
  endsAt: Instant;
  /** The start as the location's clocks show it, with the offset: it tells apart what they show twice. */
  localStart: string;
}

/** What stands in the way, as far as the viewer may know. */
export interface Collision {
  startsAt: Instant;
  endsAt: Instant;
  bookingId: string | null;
  title: string | null;
  holder: string | null;
}

export interface Verdict {
  allowed: boolean;
  reasons: { reason: Reason; message: string; overridable: boolean }[];
  /** What the booking would be: pending where the resource asks for approval. */
  status: BookingStatus;
  price: Money;
  lines: PriceLine[];
  /** Cancelled until then, it costs nothing. */
  freeCancellationUntil: Instant;
  collisions: Collision[];
  /** The nearest free slots of the same length, nearest first; none where the wish itself can be had. */
  alternatives: Slot[];
}

const MOST_ALTERNATIVES = 3;

/** Whether another time may help. Who may not book at all is not offered one. */
const isAboutTime = ({ reason }: Objection) =>
  !['RESOURCE_INACTIVE', 'MEMBER_INACTIVE', 'QUOTA_USED_UP'].includes(reason);

export function verdictOn(ctx: Ctx, considered: Considered): Verdict {
  const { objections, quote, wish, ground } = considered;
  return {
    allowed: objections.length === 0,
    reasons: objections.map((one) => ({ ...one, overridable: isOverridable(one.reason) })),
    status: statusFor(ctx, considered),
    price: quote.price,
    lines: quote.lines,
    freeCancellationUntil: instantOf(new Date(freeUntil(ground.resource, wish.start))),
    collisions: collisionsFor(ctx, considered),
    alternatives:
      objections.some(isAboutTime) && objections.every(isAboutTime)
        ? alternativesTo(ctx, considered)
        : [],
  };
}

/** Throws, if anything speaks against it: CONFLICT where the slot is taken, VALIDATION where a rule is broken. */
export function refuseObjections(ctx: Ctx, considered: Considered): void {
  const [first] = considered.objections;
  if (!first) return;
  const { reasons, collisions, alternatives } = verdictOn(ctx, considered);
  const sentences = considered.objections.map(({ message }) => message);
  throw new DomainError(
    first.reason === 'SLOT_TAKEN' ? 'CONFLICT' : 'VALIDATION',
    [...sentences, ...inWords(alternatives, considered.ground.calendar.timeZone)].join(' '),
    { reason: first.reason, reasons, collisions, alternatives },
  );
}

/** Somebody was faster every time; here is what is free now. Thrown, it has the whole decided anew. */
export function overtaken(ctx: Ctx, considered: Considered): Overtaken {
  const alternatives = alternativesTo(ctx, considered);
  return new Overtaken({ alternatives });
}

function inWords(alternatives: Slot[], timeZone: string): string[] {
  if (alternatives.length === 0) return [];
  const starts = alternatives.map(({ localStart }) => localStart.slice(0, 16).replace('T', ' '));
  return [`Free instead: ${starts.join(', ')} (${timeZone}).`];
}

/** Members wait for approval where the resource asks for it; whoever books for others has given it. */
export const statusFor = ({ viewer }: Ctx, { ground }: Considered): BookingStatus =>
  ground.resource.requiresApproval && viewer.kind === 'member' ? 'pending' : 'confirmed';

export const freeUntil = (resource: { freeCancellationHours: number }, start: number) =>
  start - resource.freeCancellationHours * 60 * MINUTE;

function collisionsFor({ viewer }: Ctx, { collisions, ground }: Considered): Collision[] {
  const knowsAll = seesAll(viewer, 'bookings:read');
  const clock = clockOf(ground.calendar.timeZone);
  return collisions.map((busy) => {
    const mine = viewer.kind === 'member' && busy.memberId === viewer.id;
    return {
      ...slotOf({ start: busy.start, end: busy.until }, clock),
      ...namesOf(busy, knowsAll || mine),
    };
  });
}

const namesOf = ({ bookingId, title, holder }: Busy, known: boolean) =>
  known ? { bookingId, title, holder } : { bookingId: null, title: null, holder: null };

function alternativesTo(ctx: Ctx, { ground, wish }: Considered): Slot[] {
  const { start, end } = around(wish);
  const known = { start, end: end - ground.resource.bufferMinutes * MINUTE };
  const slots = freeSlots(ground, lengthOf(ground, wish), known, ctx.now().getTime());
  const clock = clockOf(ground.calendar.timeZone);
  return nearest(slots, wish, MOST_ALTERNATIVES).map((slot) => slotOf(slot, clock));
}

export const slotOf = ({ start, end }: Span, clock: Clock): Slot => ({
  startsAt: instantOf(new Date(start)),
  endsAt: instantOf(new Date(end)),
  localStart: clock(start),
});
