import type { TestApp } from '../harness/app.ts';
import { type Expectation, MINUTE, type OrderState, type Seat } from './documented-orders.ts';
import { createOrderRules } from './documented-orders-rules.ts';
import {
  type Callers,
  findMailedSecret,
  ORDER,
  type openWorld,
  runJobs,
} from './documented-orders-stage.ts';
import { createWaitlistModel, type EntryState, MAX_OFFER } from './documented-orders-waitlist.ts';

/** How many decisions of the service the test has compared, by kind. */
export const decisions = new Map<string, number>();

/** Compares one decision. @throws if the service decides otherwise. */
export function compare(kind: string, what: object, isRight: boolean): void {
  decisions.set(kind, (decisions.get(kind) ?? 0) + 1);
  if (!isRight) throw new Error(`${kind}: ${JSON.stringify(what)}`);
}

/** Compares the reason of a rejection, null for a success. */
export function compareReason(
  kind: string,
  { must, may }: Expectation,
  got: string | null,
  what: object = {},
): void {
  const isRight = got === null ? must.size === 0 : must.has(got) || may.has(got);
  const names = `${kind} ${must.size > 0 ? 'rejected' : 'done'}`;
  compare(names, { got: got ?? 'success', must: [...must], may: [...may], ...what }, isRight);
}

// biome-ignore lint/suspicious/noExplicitAny: the model reads responses of any shape
export type Row = any;

/** One world while its steps are taken: its models, and what every step needs. */
export function createRun(
  app: TestApp,
  world: Awaited<ReturnType<typeof openWorld>>,
  staff: Callers['staff'],
) {
  const { model } = world;
  const rules = createOrderRules(model);
  const waitlist = createWaitlistModel(model);
  const getNow = () => app.clock.now.getTime();

  /** Sends a mutation and returns its payload or the reason of its rejection. */
  async function mutate(name: string, input: object, fields: string, as = {}) {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`;
    const { data, errors } = await app.graphql(
      `mutation ($input: ${type}) { ${name}(input: $input) { ${fields} } }`,
      { input },
      as,
    );
    const extensions = errors[0]?.extensions;
    const reason = extensions ? String(extensions.reason ?? extensions.code) : null;
    return { reason, payload: data?.[name] as Row, error: errors[0] };
  }

  async function readOrder(order: OrderState): Promise<Row> {
    const bySecret = order.secret !== null;
    const { data, errors } = await app.graphql(
      bySecret
        ? `query ($key: String!) { order(secret: $key) { ${ORDER} } }`
        : `query ($key: ID!) { order: orderById(id: $key) { ${ORDER} } }`,
      { key: order.secret ?? order.id },
      staff,
    );
    if (errors[0]) throw new Error(`cannot read an order: ${JSON.stringify(errors[0])}`);
    return data.order;
  }

  /** Takes over the tickets that the service has issued, which must be those that were ordered. */
  function adoptSeats(order: OrderState, row: Row) {
    const issued: Seat[] = [...row.tickets, ...row.dayPasses].map((seat: Row) => ({
      ...{ id: seat.id, typeId: seat.ticketType?.id ?? model.pass.id, price: seat.price.amount },
      ...{ isValid: true, isUsed: false, code: seat.code },
    }));
    for (const { typeId, quantity } of order.items)
      compare(
        'issued',
        { order, row },
        issued.filter((seat) => seat.typeId === typeId).length === quantity,
      );
    compare(
      'prices',
      { order, row },
      issued.reduce((sum, { price }) => sum + price, 0) === order.total,
    );
    order.seats = issued;
  }

  const isOneOf = (allowed: unknown[], got: unknown) => allowed.includes(got);
  const toTime = (text: string | null) => (text === null ? null : Date.parse(text));

  /** Compares everything that both know about an order. */
  async function checkOrder(order: OrderState) {
    const now = getNow();
    const row = await readOrder(order);
    const isLapsed = order.status === 'PENDING' && !model.isLive(order, now);
    const got = {
      ...{ status: row.status, expiresAt: toTime(row.expiresAt), total: row.total.amount },
      ...{ paid: row.paid.amount, refunded: row.refundedAmount.amount },
      confirmationRequired: row.confirmationRequired,
      valid: [...row.tickets, ...row.dayPasses]
        .filter(({ status }: Row) => status === 'VALID')
        .map(({ id }: Row) => id)
        .toSorted(),
    };
    const want = {
      status: isLapsed ? got.status : order.status,
      expiresAt: isLapsed ? got.expiresAt : order.expiresAt,
      ...{ total: order.total, paid: order.paid, refunded: order.refunded },
      confirmationRequired: isLapsed ? got.confirmationRequired : order.needsConfirmation,
      valid: rules
        .findValid(order)
        .map(({ id }) => id)
        .toSorted(),
    };
    // Until a job has released a hold, the documents leave open whether the order is pending or expired.
    if (isLapsed) compare('lapsed', got, isOneOf(['PENDING', 'EXPIRED'], got.status));
    compare('order', { got, want }, JSON.stringify(got) === JSON.stringify(want));
    checkActions(order, row, now);
    if (!isLapsed) checkStaffActions(order, row, now);
    return row;
  }

  function checkActions(order: OrderState, row: Row, now: number) {
    for (const [action, allowed] of Object.entries(rules.toAllowedActions(order, now)))
      if (allowed !== undefined)
        compare(
          `may ${action} ${allowed}`,
          { order, now, row },
          row.allowedActions[action] === allowed,
        );
    const refundUntil = toTime(row.allowedActions.refundUntil);
    // The documents do not say whether the time is null once nothing can be returned.
    const allowed = [rules.toRefundDeadline(order), null];
    compare('refundUntil', { order, row, now }, isOneOf(allowed, refundUntil));
  }

  function checkStaffActions(order: OrderState, { staffActions }: Row, now: number) {
    if (order.secret === null) return; // offers keep their own end
    const latest = model.toLatestHold(order);
    const canExtend = rules.checkExtension(order, latest, now).must.size === 0;
    compare(
      `staff may extend ${canExtend}`,
      { order, staffActions, latest, now },
      staffActions.extendHold === canExtend,
    );
  }

  /** REST must agree with GraphQL. */
  async function compareApis(order: OrderState) {
    if (order.secret === null) return;
    const row = await readOrder(order);
    const rest = ((await app.rest(`/public/orders/${order.secret}`)).body.data as Row).order;
    const { pay, confirm, cancel, changeAttendees } = row.allowedActions;
    const seats = (all: Row[]) =>
      all.map(({ id, code, status }) => [id, code, status.toLowerCase()]);
    const fromGraphql = [
      ...[row.id, row.status.toLowerCase(), row.expiresAt, row.total.amount, row.discount.amount],
      ...[
        row.confirmationRequired,
        { pay, confirm, cancel, changeAttendees },
        row.payment?.url ?? null,
      ],
      ...[seats(row.tickets), seats(row.dayPasses)],
    ];
    const { change_attendees, ...may } = rest.may;
    const fromRest = [
      ...[rest.id, rest.status, rest.expires_at, rest.total.amount, rest.discount.amount.amount],
      rest.confirmation_required,
      { pay: may.pay, confirm: may.confirm, cancel: may.cancel, changeAttendees: change_attendees },
      ...[rest.payment?.url ?? null, seats(rest.tickets), seats(rest.day_passes)],
    ];
    compare(
      'both APIs',
      { fromGraphql, fromRest },
      JSON.stringify(fromGraphql) === JSON.stringify(fromRest),
    );
  }

  /** Compares the counters of the event, and the waiting list. */
  async function checkEvent() {
    const now = getNow();
    const { data, errors } = await app.graphql(
      `query ($id: String!) { event(slug: $id) { reservedCount
        ticketTypes { id reservedCount left saleState }
        waitlist(first: 100) { nodes { id email status quantity acceptsFewer
          order { id status expiresAt items { quantity } total { amount } } } } } }`,
      { id: model.event.id },
      staff,
    );
    if (errors[0]) throw new Error(JSON.stringify(errors[0]));
    const row: Row = data.event;
    checkEntries(row.waitlist.nodes);
    for (const type of model.event.types) {
      const got = row.ticketTypes.find(({ id }: Row) => id === type.id);
      const left = model.countLeft(type, now);
      const isOpen = waitlist.isOnSale(type, now);
      // A hold that has ended still counts as reserved until a job releases it.
      if (!hasLapsed(now))
        compare(
          'reserved of a type',
          { got, left },
          got.reservedCount === model.countTaken(type.id, null, now),
        );
      if (!isOpen || hasLapsed(now)) continue;
      compare('left', { got, left, type }, (got.left ?? Infinity) === left);
      compare('saleState', { got, left }, got.saleState === (left > 0 ? 'OPEN' : 'SOLD_OUT'));
    }
    if (!hasLapsed(now))
      compare('reserved', { row }, row.reservedCount === model.countTaken(null, null, now));
  }
  const hasLapsed = (now: number) =>
    model.orders.some((order) => order.status === 'PENDING' && !model.isLive(order, now));

  function checkEntries(rows: Row[]) {
    const now = getNow();
    for (const entry of waitlist.entries) {
      const row = rows.find(({ id }) => id === entry.id);
      const got = [row.status, row.quantity, row.acceptsFewer];
      const want = [entry.status, entry.quantity, entry.acceptsFewer];
      compare(
        `entry ${entry.status}`,
        { got, want, row, entry, entries: waitlist.entries },
        String(got) === String(want),
      );
      if (entry.status === 'OFFERED' && entry.order?.id === '')
        adoptOffer(entry, entry.order, row.order, now);
    }
  }

  function adoptOffer({ quantity }: EntryState, order: OrderState, row: Row, now: number) {
    const end = Date.parse(row.expiresAt);
    const offered = order.items[0]?.quantity ?? 0;
    compare(
      offered < quantity ? 'offer of some' : 'offer of all',
      { order, row },
      row.items[0].quantity === offered && row.total.amount === order.total,
    );
    compare('offer ends', { row, now }, end > now && end <= now + MAX_OFFER);
    order.id = row.id;
    order.expiresAt = end;
  }

  /** Compares where the changes of orders, tickets, passes and entries took place: all at the location of the world. */
  async function checkPlaces() {
    const ids = [...model.orders, ...waitlist.entries].map(({ id }) => id);
    const seats = model.orders.flatMap((order) => order.seats.map(({ id }) => id));
    const changes = await app.ctx.db.change.findMany({
      where: { subjectId: { in: [...ids, ...seats].filter(Boolean) } },
      select: { type: true, locationId: true },
    });
    for (const { type, locationId } of changes)
      compare(
        `place of ${type}`,
        { type, locationId, location: world.locationId },
        locationId === world.locationId,
      );
  }

  /** Lets time pass, and runs the jobs at its end. */
  async function wait(minutes: number) {
    app.clock.now = new Date(getNow() + minutes * MINUTE);
    const now = getNow();
    for (const order of model.expireHolds(now)) {
      const entry = waitlist.findOffered(order);
      if (entry) waitlist.endOffer(entry);
    }
    waitlist.offerTickets(now);
    await runJobs(app);
  }

  return {
    ...{ app, world, model, rules, waitlist, staff, getNow, mutate, readOrder, adoptSeats },
    ...{ checkOrder, compareApis, checkEvent, checkPlaces, wait },
    findMailedSecret: (email: string, page: 'orders' | 'waitlist') =>
      findMailedSecret(app, email, page),
    /** The stock has changed, so people who wait get offers. */
    offerTickets: () => waitlist.offerTickets(getNow()),
  };
}

export type Run = ReturnType<typeof createRun>;
