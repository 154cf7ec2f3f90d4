import { Temporal } from 'temporal-polyfill';

/**
 * The rules of orders as the documentation states them, written without a look at the service. Times are milliseconds since
 * 1970, amounts are cents.
 */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
const HOLD = 15 * MINUTE;
const CONFIRMATION = 30 * MINUTE;
const LARGEST_PASS_ORDER = 10;

export interface TypeState {
  id: string;
  price: number;
  quantity: number | null;
  maxPerOrder: number;
  isForMembers: boolean;
  salesStartAt: number | null;
  salesEndAt: number | null;
}

export interface EventState {
  id: string;
  capacity: number | null;
  refundHours: number | null;
  confirmFreeOrders: boolean | null;
  startsAt: number;
  endsAt: number;
  isCancelled: boolean;
  types: TypeState[];
}

export interface PassState {
  id: string;
  price: number;
  dailyCapacity: number | null;
  daysAhead: number;
  isActive: boolean;
  confirmFreeOrders: boolean | null;
}

export interface CodeState {
  code: string;
  percent: number | null;
  amount: number | null;
  maxUses: number | null;
  startsAt: number | null;
  endsAt: number | null;
  isForEvent: boolean;
}

export interface Seat {
  id: string;
  typeId: string;
  price: number;
  isValid: boolean;
  isUsed: boolean;
  code: string;
}

export interface OrderState {
  id: string;
  secret: string | null;
  code: string;
  status: 'PENDING' | 'PAID' | 'EXPIRED' | 'CANCELLED';
  expiresAt: number | null;
  items: { typeId: string; quantity: number }[];
  /** The date of day passes; null for tickets. */
  validOn: string | null;
  codeText: string | null;
  total: number;
  needsConfirmation: boolean;
  seats: Seat[];
  paid: number;
  refunded: number;
  isPaymentRecorded: boolean;
}

/** Which reasons the documents demand, and which they leave open. A request without demanded reasons can succeed. */
export interface Expectation {
  must: Set<string>;
  may: Set<string>;
}

export const expectNothing = (): Expectation => ({ must: new Set(), may: new Set() });

export interface OrderRequest {
  items: { typeId: string; quantity: number }[];
  validOn: string | null;
  codeText: string | null;
  isMember: boolean;
  isStaff: boolean;
}

export function createOrderModel(
  event: EventState,
  pass: PassState,
  codes: CodeState[],
  zone: string,
) {
  const orders: OrderState[] = [];

  const isLive = (order: OrderState, now: number) =>
    order.status === 'PAID' ||
    (order.status === 'PENDING' && (order.expiresAt === null || order.expiresAt > now));

  const countHeld = (order: OrderState, typeId: string | null, now: number): number => {
    if (!isLive(order, now)) return 0;
    const isCounted = (row: { typeId: string }) => typeId === null || row.typeId === typeId;
    if (order.status === 'PENDING')
      return order.items.filter(isCounted).reduce((sum, { quantity }) => sum + quantity, 0);
    return order.seats.filter((seat) => seat.isValid && isCounted(seat)).length;
  };

  const countTaken = (typeId: string | null, validOn: string | null, now: number) =>
    orders
      .filter((order) => order.validOn === validOn)
      .reduce((sum, order) => sum + countHeld(order, typeId, now), 0);

  /** How many tickets of the type can be reserved; infinite without limits. */
  const countLeft = (type: TypeState, now: number) =>
    Math.max(
      0,
      Math.min(
        (type.quantity ?? Infinity) - countTaken(type.id, null, now),
        (event.capacity ?? Infinity) - countTaken(null, null, now),
      ),
    );
  const countPassesLeft = (validOn: string, now: number) =>
    Math.max(0, (pass.dailyCapacity ?? Infinity) - countTaken(pass.id, validOn, now));

  const findCode = (text: string | null) =>
    codes.find(({ code }) => code === text?.toUpperCase()) ?? null;
  const countUses = (code: CodeState, now: number) =>
    orders.filter((order) => order.codeText === code.code && isLive(order, now)).length;

  const toSubtotal = ({ items }: Pick<OrderRequest, 'items'>) =>
    items.reduce((sum, { typeId, quantity }) => sum + quantity * findPrice(typeId), 0);
  const findPrice = (typeId: string) => (event.types.find(({ id }) => id === typeId) ?? pass).price;

  function checkCode(request: OrderRequest, now: number, { must, may }: Expectation) {
    if (request.codeText === null) return;
    const code = findCode(request.codeText);
    // The documents do not say what a code does to an order that is free without it.
    const set = toSubtotal(request) === 0 ? may : must;
    if (!code || (code.isForEvent && request.validOn !== null)) set.add('DISCOUNT_UNKNOWN');
    else if (code.startsAt !== null && code.startsAt > now) set.add('DISCOUNT_NOT_YET');
    else if (code.endsAt !== null && code.endsAt <= now) set.add('DISCOUNT_ENDED');
    else if (code.maxUses !== null && countUses(code, now) >= code.maxUses)
      set.add('DISCOUNT_USED_UP');
  }

  function checkTickets(request: OrderRequest, now: number): Expectation {
    const { must, may } = expectNothing();
    if (event.isCancelled) must.add('EVENT_CANCELLED');
    if (now >= event.endsAt) must.add('EVENT_OVER');
    const wanted = new Map<string, number>();
    for (const { typeId, quantity } of request.items) {
      if (quantity < 1) must.add('INVALID_INPUT');
      wanted.set(typeId, (wanted.get(typeId) ?? 0) + quantity);
    }
    for (const [typeId, quantity] of wanted) {
      const type = event.types.find(({ id }) => id === typeId);
      if (!type) {
        must.add('TICKET_TYPE_UNKNOWN');
        continue;
      }
      if (type.salesStartAt !== null && now < type.salesStartAt) must.add('SALE_NOT_OPEN');
      if (type.salesEndAt !== null && now >= type.salesEndAt) must.add('SALE_CLOSED');
      if (type.isForMembers && !request.isMember)
        (request.isStaff ? may : must).add('MEMBERS_ONLY');
      if (quantity > type.maxPerOrder) must.add('TOO_MANY');
      if (quantity > countLeft(type, now)) must.add('SOLD_OUT');
    }
    const total = [...wanted.values()].reduce((sum, quantity) => sum + quantity, 0);
    if (event.capacity !== null && total > event.capacity - countTaken(null, null, now))
      must.add('SOLD_OUT');
    checkCode(request, now, { must, may });
    return { must, may };
  }

  const toLocal = (time: number) =>
    Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);
  /** The location is open from Monday to Friday, from nine to six. */
  const isClosed = (validOn: string, now: number) => {
    const date = Temporal.PlainDate.from(validOn);
    const local = toLocal(now);
    return date.dayOfWeek > 5 || (date.equals(local.toPlainDate()) && local.hour >= 18);
  };

  function checkPasses(request: OrderRequest & { validOn: string }, now: number): Expectation {
    const { must, may } = expectNothing();
    const quantity = request.items.reduce((sum, item) => sum + item.quantity, 0);
    const today = toLocal(now).toPlainDate();
    const days = today.until(Temporal.PlainDate.from(request.validOn), { largestUnit: 'day' }).days;
    if (!pass.isActive) must.add('INACTIVE');
    if (days < 0) must.add('DATE_PAST');
    if (days > pass.daysAhead) must.add('TOO_FAR_AHEAD');
    if (isClosed(request.validOn, now)) must.add('CLOSED');
    // The documents call ten the largest order of day passes, but only where they speak of the limits of members.
    if (quantity > LARGEST_PASS_ORDER) may.add('TOO_MANY').add('INVALID_INPUT');
    if (quantity > countPassesLeft(request.validOn, now)) must.add('SOLD_OUT');
    checkCode(request, now, { must, may });
    return { must, may };
  }

  const checkOrder = (request: OrderRequest, now: number) =>
    request.validOn === null
      ? checkTickets(request, now)
      : checkPasses({ ...request, validOn: request.validOn }, now);

  /** The discount, exact to a cent: the documents do not say how a percentage is rounded. */
  function toDiscount(request: OrderRequest): number {
    const code = findCode(request.codeText);
    const subtotal = toSubtotal(request);
    if (!code) return 0;
    return Math.min(subtotal, code.amount ?? (subtotal * (code.percent ?? 0)) / 100);
  }

  /** Whether the buyer of a free order has to confirm it with the link in an email. */
  function isConfirmedByEmail(request: OrderRequest): boolean {
    if (request.isMember || request.isStaff) return false;
    const { confirmFreeOrders } = request.validOn === null ? event : pass;
    if (confirmFreeOrders !== null) return confirmFreeOrders;
    const ordered = event.types.filter(({ id }) =>
      request.items.some(({ typeId }) => typeId === id),
    );
    const seats =
      request.validOn === null
        ? [event.capacity, ...ordered.map(({ quantity }) => quantity)]
        : [pass.dailyCapacity];
    return seats.some((count) => count !== null && count <= 100);
  }

  /**
   * When an unpaid order expires that is paid at the front desk: at the start or at the end of the open day. Without a mail server,
   * that of an anonymous buyer expires after two opening hours.
   */
  function toHoldEnd(request: OrderRequest, now: number): number {
    let end = Math.max(now, toLatestHold(request));
    if (!request.isMember && !request.isStaff) {
      let left = 2 * HOUR;
      let date = toLocal(now).toPlainDate();
      for (let at = now; at < end && left > 0; date = date.add({ days: 1 })) {
        const span = toOpenSpan(date.toString());
        const from = Math.max(at, span?.start ?? at);
        const open = span && span.end > from ? span.end - from : 0;
        if (open >= left) end = Math.min(end, from + left);
        left -= open;
        at = endOfDay(date.toString());
      }
    }
    return Math.max(now + HOLD, end);
  }

  /** Until when an order can be held: until the event starts, or the location closes on the day of the passes. */
  const toLatestHold = ({ validOn }: Pick<OrderRequest, 'validOn'>) =>
    validOn === null ? event.startsAt : (toOpenSpan(validOn)?.end ?? endOfDay(validOn));

  /** The location is open from 09:00 to 18:00 from Monday to Friday. */
  function toOpenSpan(day: string): { start: number; end: number } | null {
    const date = Temporal.PlainDate.from(day);
    const at = (hour: number) =>
      date.toZonedDateTime({ timeZone: zone, plainTime: { hour } }).epochMilliseconds;
    return date.dayOfWeek > 5 ? null : { start: at(9), end: at(18) };
  }

  /** When a visit of a day that begins at an instant ends by itself. */
  function toClosingTime(day: string, from: number): number {
    const closing = toOpenSpan(day)?.end ?? from;
    return closing > from ? closing : endOfDay(day);
  }

  /** The status of a new order and the end of its hold. */
  function toNewStatus(request: OrderRequest, total: number, now: number) {
    if (total > 0)
      return {
        status: 'PENDING' as const,
        expiresAt: toHoldEnd(request, now),
        needsConfirmation: false,
      };
    if (isConfirmedByEmail(request))
      return { status: 'PENDING' as const, expiresAt: now + CONFIRMATION, needsConfirmation: true };
    return { status: 'PAID' as const, expiresAt: null, needsConfirmation: false };
  }

  /** Releases the holds that have ended. */
  function expireHolds(now: number): OrderState[] {
    const ended = orders.filter((order) => order.status === 'PENDING' && !isLive(order, now));
    for (const order of ended) {
      order.status = 'EXPIRED';
      order.expiresAt = null;
      order.needsConfirmation = false;
    }
    return ended;
  }

  const startOfDay = (date: string) =>
    Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;
  const endOfDay = (date: string) =>
    Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;

  /** When the admissions of an order begin and end. */
  const toSpan = ({ validOn }: OrderState) =>
    validOn === null
      ? { from: event.startsAt, to: event.endsAt }
      : { from: startOfDay(validOn), to: endOfDay(validOn) };

  return {
    ...{ event, pass, codes, orders, zone },
    ...{ isLive, countTaken, countLeft, countPassesLeft, findCode, countUses },
    ...{
      checkOrder,
      toSubtotal,
      toDiscount,
      toNewStatus,
      expireHolds,
      toSpan,
      toLatestHold,
      toClosingTime,
      toLocal,
      isClosed,
    },
  };
}

export type OrderModel = ReturnType<typeof createOrderModel>;
