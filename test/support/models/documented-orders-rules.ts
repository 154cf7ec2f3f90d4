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

  /** What a payment at the front desk does; several outcomes where the documents leave it open. */
  function toOutcomes(order: OrderState, now: number): string[] {
    if (order.isPaymentRecorded) return ['ALREADY_RECORDED'];
    const isOver = event.isCancelled || now >= event.endsAt;
    const isHeld = order.status === 'PENDING' && model.isLive(order, now);
    if (order.validOn !== null) {
      if (order.status === 'CANCELLED') return ['REFUND_PENDING'];
      if (isHeld) return ['CONFIRMED'];
      const quantity = order.items[0]?.quantity ?? 0;
      if (quantity > model.countPassesLeft(order.validOn, now)) return ['REFUND_PENDING'];
      // The documents speak of the event only, not of the day of a pass that is over.
      return now >= model.toSpan(order).to ? ['CONFIRMED', 'REFUND_PENDING'] : ['CONFIRMED'];
    }
    if (order.status === 'CANCELLED') return ['REFUND_PENDING'];
    // One sentence says that the event must not be over, another one says so of expired orders only.
    if (isHeld) return isOver ? ['CONFIRMED', 'REFUND_PENDING'] : ['CONFIRMED'];
    if (isOver) return ['REFUND_PENDING'];
    const total = order.items.reduce((sum, { quantity }) => sum + quantity, 0);
    const fits =
      order.items.every(({ typeId, quantity }) => {
        const type = event.types.find(({ id }) => id === typeId);
        return type !== undefined && quantity <= model.countLeft(type, now);
      }) && total <= (event.capacity ?? Infinity) - model.countTaken(null, null, now);
    return fits ? ['CONFIRMED'] : ['REFUND_PENDING'];
  }

  /** The actions of the buyer; undefined where the documents leave it open. */
  function toAllowedActions(order: OrderState, now: number) {
    const isPending = order.status === 'PENDING' && model.isLive(order, now);
    const isOver = order.validOn === null && (event.isCancelled || now >= event.endsAt);
    const valid = findValid(order);
    const decide = ({ must, may }: Expectation) =>
      must.size > 0 ? false : may.size > 0 ? undefined : true;
    const canChange = (seat: Seat) => decide(checkHolder(order, seat, false, now));
    return {
      pay: isPending && isOver ? undefined : isPending && order.total > 0,
      // Only the link in the email confirms. Orders are read with the secret of the response, and offers by their id.
      confirm: order.secret === null ? undefined : false,
      cancel: isPending && isOver ? undefined : decide(checkCancel(order, null, now)),
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
    ...{ toOutcomes, toAllowedActions },
  };
}
