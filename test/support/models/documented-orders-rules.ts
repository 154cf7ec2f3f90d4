import {
  type Expectation,
  expectNothing,
  HOUR,
  type OrderModel,
  type OrderState,
  type Seat,
} from './documented-orders.ts';

/** What buyers and staff can do with an order, as the documentation states it. */

/** Reasons for which the documents name no single word: the order can no longer be changed. */
const ENDED = [
  'DEADLINE_PASSED',
  'EVENT_OVER',
  'OVER',
  'NOT_LIVE',
  'STARTED',
  'EVENT_CANCELLED',
  'REFUND_CLOSED',
];
const NO_TICKET = ['TICKET_UNKNOWN', 'NOT_LIVE', 'NOT_FOUND'];

export function createOrderRules(model: OrderModel) {
  const { event } = model;
  const findValid = ({ seats }: OrderState) => seats.filter(({ isValid }) => isValid);

  const toRefundDeadline = (order: OrderState): number | null => {
    if (order.validOn !== null) return model.toSpan(order).from;
    return event.refundHours === null ? null : event.startsAt - event.refundHours * HOUR;
  };

  /** Whether the buyer can cancel these tickets, or the whole order. */
  function checkCancel(order: OrderState, ids: string[] | null, now: number): Expectation {
    const { must, may } = expectNothing();
    const demand = (reasons: string[]) => {
      for (const reason of reasons) must.add(reason);
    };
    if (order.status === 'PENDING' && model.isLive(order, now)) {
      if (ids) for (const reason of NO_TICKET) may.add(reason);
      return { must, may };
    }
    if (order.status !== 'PAID') {
      demand([...ENDED, ...NO_TICKET, 'ALREADY_USED']);
      return { must, may };
    }
    const seats = ids ? order.seats.filter(({ id }) => ids.includes(id)) : findValid(order);
    if (seats.length < (ids?.length ?? 0)) demand(NO_TICKET);
    if (seats.some(({ isValid }) => !isValid)) demand(NO_TICKET);
    // Without ids, the documents leave open whether one used ticket keeps the others from being cancelled.
    if (seats.some(({ isUsed }) => isUsed)) {
      if (ids || seats.every(({ isUsed }) => isUsed)) must.add('ALREADY_USED');
      else may.add('ALREADY_USED');
    }
    const deadline = toRefundDeadline(order);
    const isLate = deadline === null || now >= deadline;
    // The documents speak of refunds. They leave open until when tickets can be cancelled if no money is left to return.
    if (isLate && order.paid > order.refunded) demand(ENDED);
    else if (isLate || now >= model.toSpan(order).from) for (const reason of ENDED) may.add(reason);
    return { must, may };
  }

  /** Removes these tickets and returns their price, as far as money is left. */
  function endSeats(order: OrderState, seats: Seat[], amount?: number) {
    for (const seat of seats) seat.isValid = false;
    const price = seats.reduce((sum, seat) => sum + seat.price, 0);
    order.refunded += amount ?? Math.min(price, order.paid - order.refunded);
    if (findValid(order).length === 0) endOrder(order, 'CANCELLED');
  }

  function endOrder(order: OrderState, status: 'CANCELLED' | 'EXPIRED') {
    order.status = status;
    order.expiresAt = null;
    order.needsConfirmation = false;
  }

  /** Whether the holder can be changed; `isTransfer` says to whom the admission goes. */
  function checkHolder(
    order: OrderState,
    seat: Seat,
    isTransfer: boolean,
    now: number,
  ): Expectation {
    const { must, may } = expectNothing();
    if (!seat.isValid) for (const reason of [...ENDED, ...NO_TICKET]) must.add(reason);
    if (seat.isUsed && isTransfer) must.add('ALREADY_USED');
    const { from, to } = model.toSpan(order);
    if (now >= to) for (const reason of ENDED) must.add(reason);
    // The documents give a deadline for day passes, but none for tickets of an event that has begun.
    else if (order.validOn === null && now >= from) for (const reason of ENDED) may.add(reason);
    return { must, may };
  }

  /** Whether the event is over or cancelled, or the day of the passes is over. */
  const isOver = (order: OrderState, now: number) =>
    now >= model.toSpan(order).to || (order.validOn === null && event.isCancelled);

  /** What a payment at the front desk does. */
  function toOutcome(order: OrderState, now: number): string {
    if (order.isPaymentRecorded) return 'ALREADY_RECORDED';
    if (order.status === 'CANCELLED' || isOver(order, now)) return 'REFUND_PENDING';
    if (order.status === 'PENDING' && model.isLive(order, now)) return 'CONFIRMED';
    return fits(order, now) ? 'CONFIRMED' : 'REFUND_PENDING';
  }

  /** Whether what an expired order wants is still available. */
  function fits(order: OrderState, now: number): boolean {
    if (order.validOn !== null)
      return (order.items[0]?.quantity ?? 0) <= model.countPassesLeft(order.validOn, now);
    const total = order.items.reduce((sum, { quantity }) => sum + quantity, 0);
    return (
      order.items.every(({ typeId, quantity }) => {
        const type = event.types.find(({ id }) => id === typeId);
        return type !== undefined && quantity <= model.countLeft(type, now);
      }) && total <= (event.capacity ?? Infinity) - model.countTaken(null, null, now)
    );
  }

  /** Whether staff can hold an order until a time. */
  function checkExtension(order: OrderState, until: number, now: number): Expectation {
    const { must, may } = expectNothing();
    if (order.status !== 'PENDING' || order.expiresAt === null || !model.isLive(order, now)) {
      must.add('NOT_LIVE');
      return { must, may };
    }
    if (order.total === 0) must.add('HOLD_FIXED');
    if (until <= order.expiresAt) must.add('HOLD_NOT_LONGER');
    if (until > model.toLatestHold(order)) must.add('HOLD_TOO_LONG');
    return { must, may };
  }

  /** The actions of the buyer; undefined where the documents leave it open. */
  function toAllowedActions(order: OrderState, now: number) {
    const isPending = order.status === 'PENDING' && model.isLive(order, now);
    const isEnded = order.validOn === null && (event.isCancelled || now >= event.endsAt);
    const valid = findValid(order);
    const decide = ({ must, may }: Expectation) =>
      must.size > 0 ? false : may.size > 0 ? undefined : true;
    const canChange = (seat: Seat) => decide(checkHolder(order, seat, false, now));
    return {
      pay: isPending && isEnded ? undefined : isPending && order.total > 0,
      // Only the link in the email confirms. Orders are read with the secret of the response, and offers by their id.
      confirm: order.secret === null ? undefined : false,
      cancel: isPending && isEnded ? undefined : decide(checkCancel(order, null, now)),
      changeAttendees:
        order.status === 'PAID'
          ? valid.length > 0
            ? canChange(valid[0] as Seat)
            : false
          : isPending
            ? undefined
            : false,
    };
  }

  return {
    ...{ findValid, toRefundDeadline, checkCancel, endSeats, endOrder, checkHolder },
    ...{ isOver, toOutcome, checkExtension, toAllowedActions },
  };
}
