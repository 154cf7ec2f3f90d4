import { cancelEventOrders } from '../../../src/features/orders/service/event-changes.ts';
import { expireOrders } from '../../../src/features/orders/service/expire-orders.ts';
import { HOUR, startOfDay, toDay } from './documented-bookings-time.ts';
import { countRefunded, type Method, type PaymentState, toDate } from './documented-takings.ts';
import {
  ANY_REASON,
  type Choice,
  type OrderState,
  type Outcome,
  type Row,
  type Run,
} from './documented-takings-run.ts';
import type { Caller, Product } from './documented-takings-stage.ts';

/** Sales, payments and refunds of tickets and day passes. */

const METHODS = ['CASH', 'CARD', 'OTHER', 'CASH', 'CASH', 'CARD_ONLINE'] as const;
const ORDER = `id status expiresAt total { amount currency } tickets { id status price { amount } }
  dayPasses { id status price { amount } } refunds { id amount { amount } }`;

export function createOrderSteps(run: Run) {
  const { world, model, orders, mutate, judge, compare, getNow, pick, toCaller } = run;

  const findValid = ({ seats }: OrderState) => seats.filter(({ isValid }) => isValid);
  const countLeft = ({ payment }: OrderState) =>
    payment ? payment.amount - countRefunded(payment) : 0;
  const isOver = ({ event }: Product) =>
    event !== null && (event.isCancelled || getNow() >= event.end);

  /** The payment of an order at the place that it is for now. */
  function receive(order: OrderState, method: Method, caller: Caller) {
    const { event, currency, place } = order.product;
    const payment: PaymentState = {
      ...{ paysFor: order.id, sold: event ? 'TICKETS' : 'DAY_PASSES', currency, method },
      ...{ place: event?.place ?? place, amount: order.total, at: getNow(), takenBy: caller.name },
      ...{ voided: null, refunds: [] },
    };
    order.payment = payment;
    model.payments.push(payment);
  }

  function remember(row: Row, product: Product, quantity: number, validOn: string | null) {
    const seats = [...row.tickets, ...row.dayPasses];
    const order: OrderState = {
      ...{ id: row.id, secret: row.secret ?? null, product, validOn, payment: null },
      ...{ total: product.price * quantity, status: row.status },
      expiresAt: row.expiresAt === null ? null : Date.parse(row.expiresAt),
      seats: seats.map(({ id, price }: Row) => ({
        ...{ id, price: price.amount, isValid: true, isUsed: false },
      })),
    };
    compare('order', { row }, row.total, { amount: order.total, currency: product.currency });
    orders.push(order);
    return order;
  }

  const toValidOn = ({ place }: Product, n: number) =>
    toDate(toDay(place.zone, getNow()) + (pick([0, 0, 1, 3], n) ?? 0));

  /** Sells one ticket or day pass at the front desk. */
  async function sell({ a, b, c }: Choice) {
    const product = pick(world.products, a) as Product;
    const caller = toCaller(b);
    const method = pick(METHODS, c) ?? 'CASH';
    const validOn = product.event ? null : toValidOn(product, b);
    const checkIn = c % 4 === 0;
    const input = { name: 'Greta', method, checkIn };
    const { reason, payload } = product.event
      ? await mutate('sellTicket', { ...input, ticketTypeId: product.id }, SOLD, caller.as)
      : await mutate(
          'sellDayPass',
          { ...input, dayPassTypeId: product.id, validOn },
          SOLD,
          caller.as,
        );
    const isOnline = method === 'CARD_ONLINE';
    const outcome: Outcome = isOnline
      ? ['INVALID_INPUT']
      : isOver(product)
        ? ['EVENT_OVER', 'EVENT_CANCELLED', 'SALE_CLOSED']
        : 'success';
    if (!judge('sale', outcome, reason)) return;
    const order = remember(payload.order, product, 1, validOn);
    compare('sale status', {}, order.status, 'PAID');
    for (const seat of order.seats) seat.isUsed = checkIn;
    if (order.total > 0) receive(order, method as Method, caller);
  }

  /** Orders tickets or day passes that are paid later. */
  async function place({ a, b, c }: Choice) {
    const product = pick(world.products, a) as Product;
    const quantity = 1 + (b % 3);
    const buyer = { name: 'Greta', email: 'greta@example.org' };
    const validOn = product.event ? null : toValidOn(product, c);
    const { as } = toCaller(c);
    const fields = `order { secret ${ORDER} }`;
    const items = [{ ticketTypeId: product.id, quantity }];
    const holders = Array.from({ length: quantity }, () => ({ name: 'Greta' }));
    const { reason, payload } = product.event
      ? await mutate('placeOrder', { eventId: product.event.id, buyer, items }, fields, as)
      : await mutate(
          'orderDayPasses',
          { dayPassTypeId: product.id, validOn, buyer, holders },
          fields,
          as,
        );
    const outcome = isOver(product) ? ['EVENT_OVER', 'EVENT_CANCELLED'] : 'success';
    if (!judge('order', outcome, reason)) return;
    const order = remember(payload.order, product, quantity, validOn);
    compare('order status', {}, order.status, order.total > 0 ? 'PENDING' : 'PAID');
  }

  /** What a payment at the front desk does. The stock is large enough for every order. */
  function toOutcome({ status, payment, product, validOn }: OrderState): string {
    if (payment) return 'ALREADY_RECORDED';
    const isPast = validOn !== null && toDate(toDay(product.place.zone, getNow())) > validOn;
    return status === 'CANCELLED' || isOver(product) || isPast ? 'REFUND_PENDING' : 'CONFIRMED';
  }

  function applyPayment(order: OrderState, outcome: string, method: Method, caller: Caller) {
    receive(order, method, caller);
    if (outcome === 'CONFIRMED') {
      order.status = 'PAID';
      return;
    }
    if (order.status === 'PENDING') order.status = 'EXPIRED';
    addRefund(order, order.total);
  }

  async function pay(order: OrderState, { b, c }: Choice) {
    const callers = [toCaller(b), toCaller(b + 1)];
    const methods = [pick(METHODS, c) ?? 'CASH', 'OTHER' as const];
    const isTwice = c % 5 === 0 && methods[0] !== 'CARD_ONLINE';
    const results = await Promise.all(
      (isTwice ? [0, 1] : [0]).map((n) =>
        mutate(
          'markOrderPaid',
          { id: order.id, method: methods[n] },
          `outcome order { ${ORDER} }`,
          callers[n]?.as ?? {},
        ),
      ),
    );
    const isOnline = methods[0] === 'CARD_ONLINE';
    if (order.total === 0 || isOnline) {
      judge(
        'payment',
        isOnline ? ['INVALID_INPUT'] : ['NOTHING_TO_PAY'],
        results[0]?.reason ?? null,
      );
      return;
    }
    const wanted = toOutcome(order);
    const got = results.map(({ payload, reason }) => reason ?? String(payload.outcome));
    const recorded = got.findIndex((outcome) => outcome !== 'ALREADY_RECORDED');
    // Of two payments at once, one counts.
    if (isTwice && !order.payment)
      compare('two payments', { got }, got.filter((one) => one === 'ALREADY_RECORDED').length, 1);
    const outcome = got[Math.max(0, recorded)] ?? '';
    compare(`payment ${wanted}`, { order, got }, outcome, wanted);
    if (order.payment) return;
    const method = methods[recorded] as Method;
    applyPayment(order, outcome, method, callers[recorded] as Caller);
    await adopt(order);
  }

  function addRefund({ payment }: OrderState, amount: number) {
    if (amount > 0 && payment)
      payment.refunds.push({ id: '', amount, requestedAt: getNow(), returned: null });
  }

  /** Reads the status, the seats that are left, and the refunds of an order. */
  async function adopt(order: OrderState) {
    const { orderById: row } = await run.ask(
      `query ($id: ID!) { orderById(id: $id) { ${ORDER} } }`,
      { id: order.id },
      run.callers.token.as,
    );
    if (order.seats.length === 0)
      order.seats = [...row.tickets, ...row.dayPasses].map(({ id, price }: Row) => ({
        ...{ id, price: price.amount, isValid: true, isUsed: false },
      }));
    run.adoptRefunds(order.payment?.refunds ?? [], row.refunds, { order });
    if (order.status === 'PAID') {
      const valid = [...row.tickets, ...row.dayPasses].filter(({ status }) => status === 'VALID');
      compare('valid seats', { order }, valid.length, findValid(order).length);
    }
    compare('status of an order', { order }, row.status, order.status);
  }

  function endSeats(order: OrderState, seats: OrderState['seats'], amount?: number) {
    const price = seats.reduce((sum, seat) => sum + seat.price, 0);
    addRefund(order, amount ?? Math.min(price, countLeft(order)));
    for (const seat of seats) seat.isValid = false;
    if (seats.length > 0 && findValid(order).length === 0) order.status = 'CANCELLED';
  }

  /** Refunds an order, some of its seats, or an amount. */
  async function refund(order: OrderState, { a, b, c }: Choice) {
    const left = countLeft(order);
    const amounts = [left, 1, left + 1, Math.ceil(left / 2), Math.floor(left / 3), 0];
    const amount = b % 2 === 0 ? pick(amounts, b >> 1) : undefined;
    const ids = [pick(order.seats, a), pick(order.seats, c)].flatMap((seat) => seat?.id ?? []);
    const ticketIds = c % 2 === 0 && ids.length > 0 ? [...new Set(ids)] : undefined;
    const seats = order.seats.filter(({ id }) => ticketIds?.includes(id));
    const taken = ticketIds ? seats : amount === undefined ? findValid(order) : [];
    const { as } = toCaller(b);
    const { reason } = await mutate(
      'refundOrder',
      {
        id: order.id,
        ...(amount === undefined ? {} : { amount }),
        ...(ticketIds && { ticketIds }),
      },
      `order { ${ORDER} }`,
      as,
    );
    const isEnded = order.status !== 'PAID' || taken.some(({ isValid }) => !isValid);
    // The guide does not say what happens to orders without seats or money that are left.
    const isOpen = order.status !== 'PAID' || taken.some(({ isUsed }) => isUsed);
    const outcome: Outcome =
      amount !== undefined && amount > left
        ? isEnded || isOpen
          ? ANY_REASON
          : ['REFUND_TOO_LARGE']
        : amount === 0 && !ticketIds
          ? ANY_REASON
          : isEnded && ticketIds
            ? ANY_REASON
            : isOpen || (taken.length === 0 && amount === undefined)
              ? 'either'
              : 'success';
    const kind = taken.some(({ isUsed }) => isUsed)
      ? 'refund of a used seat'
      : `refund ${order.status}`;
    if (judge(kind, outcome, reason, { order, taken })) {
      if (order.status === 'PENDING') order.status = 'CANCELLED';
      else endSeats(order, taken, amount);
    }
    await adopt(order);
  }

  /** The buyer cancels the order or one of its seats. */
  async function cancel(order: OrderState, { a, b }: Choice) {
    if (order.secret === null) return;
    const seat = b % 2 === 0 ? pick(order.seats, a) : undefined;
    const seats = seat ? [seat] : findValid(order);
    const { secret, product, status } = order;
    const more = seat ? { ticketIds: [seat.id] } : {};
    const { reason } = await mutate('cancelOrder', { secret, ...more }, 'order { id }', {});
    const {
      event,
      place: { zone },
    } = product; // prettier-ignore
    const deadline = event
      ? event.refundHours === null
        ? null
        : event.start - event.refundHours * HOUR
      : startOfDay(zone, Date.parse(order.validOn ?? '') / 86_400_000);
    const isLate = deadline === null || getNow() >= deadline;
    const isEnded = status !== 'PAID' || seats.length === 0 || seats.some((one) => !one.isValid);
    const isUnpaid = status === 'PENDING' && (order.expiresAt ?? Infinity) > getNow();
    const outcome: Outcome = isUnpaid
      ? 'either'
      : isEnded || (isLate && countLeft(order) > 0)
        ? ANY_REASON
        : isLate || isOver(product)
          ? 'either'
          : 'success';
    if (judge('cancellation by the buyer', outcome, reason, { order })) {
      if (isUnpaid) order.status = 'CANCELLED';
      else endSeats(order, seats);
    }
    await adopt(order);
  }

  /** Records that staff returned the money of a refund. */
  async function settle({ a, b, c }: Choice) {
    const all = orders.flatMap(({ payment }) =>
      (payment?.refunds ?? []).map((one) => ({ payment, one })),
    );
    const open = all.filter(({ one }) => one.returned === null);
    const found = pick(a % 8 === 0 ? all : open.length > 0 ? open : all, b);
    if (!found?.payment) return;
    const { one, payment } = found;
    const caller = toCaller(a);
    const method = pick([undefined, ...METHODS], c);
    const { reason } = await mutate(
      'settleRefund',
      { id: one.id, ...(method ? { method } : {}) },
      'refund { status method }',
      caller.as,
    );
    const isOnline = method === 'CARD_ONLINE';
    const outcome: Outcome = isOnline ? ['INVALID_INPUT'] : 'success';
    if (!judge(one.returned ? 'second settlement' : 'settlement', outcome, reason) || one.returned)
      return;
    one.returned = {
      ...{ at: getNow(), method: method && method !== 'CARD_ONLINE' ? method : payment.method },
      by: caller.name,
    };
  }

  /** Moves the event to the other place: what was paid stays where it was. */
  async function moveEvent() {
    const { event, places } = world;
    const to = places.find((one) => one !== event.place);
    if (!to || event.isCancelled) return;
    const input = { id: event.id, locationId: to.id };
    const { reason } = await mutate('updateEvent', input, 'event { id }', run.callers.token.as);
    if (judge('event moved', getNow() < event.start ? 'success' : 'either', reason))
      event.place = to;
  }

  async function cancelEvent() {
    const { event } = world;
    const input = { id: event.id };
    const { reason } = await mutate('cancelEvent', input, 'event { id }', run.callers.token.as);
    const canCancel = !event.isCancelled && getNow() < event.start;
    if (!judge('event cancelled', canCancel ? 'success' : 'either', reason) || event.isCancelled)
      return;
    event.isCancelled = true;
    await cancelEventOrders(run.app.ctx);
    for (const order of orders.filter(({ product }) => product.event === event)) {
      if (order.status === 'PENDING' || order.status === 'PAID') {
        for (const seat of order.seats) seat.isValid = false;
        addRefund(order, countLeft(order));
        order.status = 'CANCELLED';
      }
      await adopt(order);
    }
  }

  async function expire() {
    await expireOrders(run.app.ctx);
    for (const order of orders)
      if (order.status === 'PENDING' && (order.expiresAt ?? Infinity) <= getNow())
        order.status = 'EXPIRED';
  }

  return { sell, place, pay, refund, cancel, settle, moveEvent, cancelEvent, expire };
}

const SOLD = `order { ${ORDER} } checkIn { result }`;
