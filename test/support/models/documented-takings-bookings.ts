import { releaseNoShows } from '../../../src/features/bookings/service/check-in-booking.ts';
import { HOUR, MINUTE, toTime } from './documented-bookings-time.ts';
import {
  type BookingState,
  countRefunded,
  findCounted,
  type Method,
  type PaymentState,
  toBookingPayment,
} from './documented-takings.ts';
import {
  ANY_REASON,
  type Choice,
  type Outcome,
  type Row,
  type Run,
} from './documented-takings-run.ts';
import type { Caller, ResourceState } from './documented-takings-stage.ts';

/** Bookings with a price, their payments, and what is returned of them. */

const METHODS = ['CASH', 'CARD', 'OTHER', 'CASH', 'CASH', 'CARD_ONLINE'] as const;
const BOOKING = 'id status price { amount currency } cancellation { fee { amount } }';
const PAYMENTS = `payments(first: 20) { nodes { createdAt method amount { amount } takenBy voidedAt
  refunds(first: 10) { nodes { id amount { amount } } } } }`;

export interface BookedState extends BookingState {
  resource: ResourceState;
}

export function createBookingSteps(run: Run) {
  const { world, model, mutate, judge, compare, getNow, pick, toCaller } = run;
  const bookings: BookedState[] = [];
  const token = run.callers.token.as;

  const isLive = ({ status }: BookingState) => status === 'PENDING' || status === 'CONFIRMED';
  const toPrice = (resource: ResourceState, hours: number, isGuest: boolean) =>
    Math.round((resource.hourly * hours * (isGuest ? 100 : resource.memberPercent)) / 100);

  /** A free time of whole hours from the next hour on. */
  function toSpan({ b, c }: Choice) {
    const next = (Math.floor(getNow() / HOUR) + 1) * HOUR;
    const start = next + (pick([0, 0, 1, 2, 5, 24, 26, 48], b) ?? 0) * HOUR;
    return { start, end: start + (1 + (c % 3)) * HOUR };
  }
  const isTaken = (resource: ResourceState, start: number, end: number, except?: BookedState) =>
    bookings.some(
      (one) =>
        one !== except &&
        one.resource === resource &&
        isLive(one) &&
        one.start < end &&
        one.end > start,
    );

  async function book(choice: Choice) {
    const { a, b } = choice;
    const isByMember = b % 5 === 0;
    const own = world.resources.filter(({ needsApproval }) => needsApproval);
    const resource = pick(
      isByMember && a % 2 === 0 ? own : world.resources,
      a >> 1,
    ) as ResourceState;
    const { start, end } = toSpan(choice);
    const isGuest = !isByMember && b % 2 === 0;
    const holder = isByMember
      ? {}
      : isGuest
        ? { guest: { name: 'Greta' } }
        : { memberId: world.member.id };
    const { reason, payload } = await mutate(
      'createBooking',
      {
        ...{ resourceId: resource.id, startsAt: toTime(start), endsAt: toTime(end), ...holder },
        ...(isByMember ? {} : { override: true }),
      },
      `booking { ${BOOKING} }`,
      isByMember ? world.member.as : token,
    );
    const isFree = !isTaken(resource, start, end);
    if (!judge('booking', isFree ? 'success' : ['SLOT_TAKEN'], reason)) return;
    const row = payload.booking;
    const status = isByMember && resource.needsApproval ? 'PENDING' : 'CONFIRMED';
    const price = toPrice(resource, (end - start) / HOUR, isGuest);
    const booking: BookedState = {
      ...{ id: row.id, place: resource.place, resource, isGuest, start, end, status, price },
      ...{ fee: 0, payments: [] },
    };
    bookings.push(booking);
    model.bookings.push(booking);
    comparePrice(booking, row);
  }

  const comparePrice = ({ status, price, resource }: BookedState, row: Row) =>
    compare(
      'price of a booking',
      { row },
      [row.status, row.price],
      [status, { amount: price, currency: resource.currency }],
    );

  /** Moves a booking to another time, and mostly to another resource of its location. */
  async function move(booking: BookedState, choice: Choice) {
    const { a, b } = choice;
    const own = world.resources.filter(({ place }) => place === booking.place);
    const resource = a % 3 === 0 ? booking.resource : (pick(own, a) as ResourceState);
    const { start, end } = toSpan(choice);
    const isByMember = !booking.isGuest && b % 2 === 0;
    const { reason, payload } = await mutate(
      'rescheduleBooking',
      {
        ...{ id: booking.id, startsAt: toTime(start), endsAt: toTime(end) },
        ...(resource === booking.resource ? {} : { resourceId: resource.id }),
        ...(isByMember ? {} : { override: true }),
      },
      `booking { ${BOOKING} }`,
      isByMember ? world.member.as : token,
    );
    const now = getNow();
    const rejected: string[] = [];
    if (isTaken(resource, start, end, booking)) rejected.push('SLOT_TAKEN');
    const isElsewhere = resource.currency !== booking.resource.currency;
    if (isElsewhere && toBookingPayment(booking).paid > 0) rejected.push('CURRENCY_MIXED');
    const deadline = booking.start - booking.resource.freeHours * HOUR;
    const isLate = isByMember && booking.status === 'CONFIRMED' && now >= deadline;
    if (isLate) rejected.push('DEADLINE_PASSED', 'STARTED');
    if (rejected.length > 0 && now >= booking.start) rejected.push('NOT_LIVE', 'OVER');
    // The guide does not say whether a booking that was paid and returned is a paid booking, and when it is too late for a member to
    // move a request.
    const isOpen =
      (isElsewhere && findCounted(booking).length > 0) ||
      (isByMember && now >= booking.start) ||
      isLate;
    const isSame = resource === booking.resource && start === booking.start && end === booking.end;
    // Whether the deadline itself is in time is left open.
    const isAtDeadline = isByMember && now === deadline;
    const outcome: Outcome = !isLive(booking)
      ? ANY_REASON
      : isAtDeadline
        ? 'either'
        : rejected.length > 0
          ? isOpen && !rejected.includes('CURRENCY_MIXED')
            ? ANY_REASON
            : rejected
          : isOpen || isSame
            ? 'either'
            : 'success';
    const kind =
      isElsewhere && findCounted(booking).length > 0 ? 'move to another currency' : 'move';
    if (!judge(kind, outcome, reason, { booking, rejected })) return;
    if (isByMember && resource.needsApproval && !isSame) booking.status = 'PENDING';
    else if (isByMember && !resource.needsApproval && !isSame) booking.status = 'CONFIRMED';
    const price = toPrice(resource, (end - start) / HOUR, booking.isGuest);
    Object.assign(booking, { resource, start, end, price });
    if (isSame || isByMember) booking.status = payload.booking.status;
    comparePrice(booking, payload.booking);
  }

  async function confirm(booking: BookedState) {
    const fields = `booking { ${BOOKING} }`;
    const { reason, payload } = await mutate('confirmBooking', { id: booking.id }, fields, token);
    const isPending = booking.status === 'PENDING';
    const outcome = isPending
      ? getNow() < booking.start
        ? 'success'
        : 'either'
      : ['NOT_PENDING', 'NOT_LIVE', 'OVER'];
    if (!judge('approval', outcome, reason)) return;
    booking.status = 'CONFIRMED';
    comparePrice(booking, payload.booking);
  }

  async function cancel(booking: BookedState, { b }: Choice) {
    const waiveFee = b % 4 === 0;
    const { reason, payload } = await mutate(
      'cancelBooking',
      { id: booking.id, ...(waiveFee ? { waiveFee } : {}) },
      `booking { ${BOOKING} }`,
      token,
    );
    const { status, start, price, resource } = booking;
    const now = getNow();
    const deadline = start - resource.freeHours * HOUR;
    const canCancel = status === 'PENDING' || now < start;
    const outcome: Outcome = !isLive(booking) ? ['NOT_LIVE'] : canCancel ? 'success' : ['STARTED'];
    if (!judge('cancellation', outcome, reason) || !isLive(booking)) return;
    const isFree = status === 'PENDING' || waiveFee || now < deadline;
    booking.status = 'CANCELLED';
    booking.fee = isFree ? 0 : price;
    // Whether the deadline itself is in time is left open.
    if (now === deadline) booking.fee = payload.booking.cancellation.fee.amount;
    compare(
      isFree ? 'free cancellation' : 'cancellation fee',
      { booking },
      payload.booking.cancellation.fee.amount,
      booking.fee,
    );
  }

  async function pay(booking: BookedState, { b, c }: Choice) {
    const { open, paid, due } = toBookingPayment(booking);
    const methods = [pick(METHODS, c) ?? 'CASH', 'OTHER' as const];
    const callers = [toCaller(b), toCaller(b + 1)];
    const isTwice = c % 4 === 0 && methods[0] !== 'CARD_ONLINE';
    const results = await Promise.all(
      (isTwice ? [0, 1] : [0]).map((n) =>
        mutate(
          'markBookingPaid',
          { id: booking.id, method: methods[n] },
          'outcome',
          callers[n]?.as ?? {},
        ),
      ),
    );
    const got = results.map(({ reason, payload }) => reason ?? String(payload.outcome));
    if (methods[0] === 'CARD_ONLINE') {
      judge('payment of a booking', ['INVALID_INPUT'], results[0]?.reason ?? null);
      return;
    }
    const recorded = got.indexOf('RECORDED');
    if (open === 0) {
      const wanted = due > 0 || paid > 0 ? ['ALREADY_RECORDED'] : ['NOTHING_TO_PAY'];
      const answer = got.at(-1) ?? '';
      compare(
        `payment ${wanted.join(' or ')}: ${answer}`,
        { booking, got },
        wanted.includes(answer),
        true,
      );
      return;
    }
    compare(
      'payment RECORDED',
      { booking, got },
      got.filter((one) => one === 'RECORDED').length,
      1,
    );
    if (isTwice)
      compare(
        'two payments of a booking',
        { booking, got },
        got.filter((one) => one === 'ALREADY_RECORDED').length,
        1,
      );
    receive(booking, open, methods[recorded] as Method, callers[recorded] as Caller);
  }

  function receive(booking: BookedState, amount: number, method: Method, caller: Caller) {
    const payment: PaymentState = {
      ...{ paysFor: booking.id, sold: 'BOOKINGS', place: booking.place, amount, method },
      ...{ currency: booking.resource.currency, at: getNow(), takenBy: caller.name },
      ...{ voided: null, refunds: [] },
    };
    booking.payments.push(payment);
    model.payments.push(payment);
  }

  async function undo(booking: BookedState, { a }: Choice) {
    const why = `By mistake ${a}`;
    const { reason, payload } = await mutate(
      'markBookingUnpaid',
      { id: booking.id, reason: why },
      `booking { ${PAYMENTS} }`,
      toCaller(a).as,
    );
    const counted = findCounted(booking);
    const whole = counted.filter(({ refunds }) => refunds.length === 0);
    const outcome: Outcome =
      counted.length === 0 ? ['NOT_PAID'] : whole.length > 0 ? 'success' : ['PARTLY_RETURNED'];
    const isPart = whole.length > 0 && whole.length < counted.length;
    const kind = isPart ? 'undone payment beside a return' : 'undone payment';
    if (!judge(kind, outcome, reason, { booking })) return;
    for (const payment of whole) payment.voided = { at: getNow(), reason: why };
    const rows = payload.booking.payments.nodes.filter((row: Row) => row.voidedAt === null);
    compare('payments that still count', { booking }, rows.length, counted.length - whole.length);
  }

  async function giveBack(booking: BookedState, { a, c }: Choice) {
    const { surplus } = toBookingPayment(booking);
    const caller = toCaller(a);
    const method = pick(METHODS, c) ?? 'CASH';
    const isTwice = c % 3 === 0;
    const results = await Promise.all(
      (isTwice ? [0, 1] : [0]).map(() =>
        mutate(
          'returnBookingPayment',
          { id: booking.id, method },
          `booking { ${PAYMENTS} }`,
          caller.as,
        ),
      ),
    );
    const reasons = results.map(({ reason }) => reason);
    const isOnline = method === 'CARD_ONLINE';
    if (surplus === 0 || isOnline) {
      for (const reason of reasons)
        judge('return', isOnline ? ['INVALID_INPUT'] : ['NOTHING_TO_RETURN'], reason, { booking });
      return;
    }
    if (isTwice)
      compare('two returns', { reasons }, reasons.toSorted(), ['NOTHING_TO_RETURN', null]);
    if (!judge('return', 'success', reasons.includes(null) ? null : (reasons[0] ?? null))) return;
    const row = results.find(({ reason }) => reason === null)?.payload.booking;
    adoptReturn(booking, row, { surplus, method, caller });
  }

  /** A surplus of several payments can be returned in several parts: the guide does not say of which. */
  function adoptReturn(
    booking: BookedState,
    row: Row,
    { surplus, method, caller }: { surplus: number; method: Method; caller: Caller },
  ) {
    const known = new Set(booking.payments.flatMap(({ refunds }) => refunds.map(({ id }) => id)));
    const left = [...booking.payments];
    let sum = 0;
    for (const node of row.payments.nodes) {
      const index = left.findIndex(
        (one) =>
          toTime(one.at) === node.createdAt &&
          one.amount === node.amount.amount &&
          one.method === node.method &&
          one.takenBy === node.takenBy &&
          (one.voided === null) === (node.voidedAt === null) &&
          one.refunds.length === node.refunds.nodes.filter(({ id }: Row) => known.has(id)).length,
      );
      const payment = left.splice(index, 1)[0];
      for (const refund of node.refunds.nodes.filter(({ id }: Row) => !known.has(id))) {
        sum += refund.amount.amount;
        payment?.refunds.push({
          ...{ id: refund.id, amount: refund.amount.amount, requestedAt: getNow() },
          returned: { at: getNow(), method, by: caller.name },
        });
        if (payment)
          compare('part of a return', { booking }, countRefunded(payment) <= payment.amount, true);
      }
    }
    compare('sum of a return', { booking, row }, sum, surplus);
  }

  /** Releases no-shows, as the job does. */
  async function release() {
    await releaseNoShows(run.app.ctx);
    const now = getNow();
    for (const booking of bookings) {
      const { noShow } = booking.resource;
      if (booking.status !== 'CONFIRMED' || noShow === null) continue;
      if (now >= booking.start + noShow * MINUTE && now < booking.end) booking.status = 'NO_SHOW';
    }
  }

  return { bookings, book, move, confirm, cancel, pay, undo, giveBack, release };
}
