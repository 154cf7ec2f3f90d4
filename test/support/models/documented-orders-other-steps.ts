import { v7 } from 'uuid';
import { cancelEventOrders } from '../../../src/features/orders/service/event-changes.ts';
import { expectNothing } from './documented-orders.ts';
import { compare, compareReason, type Run } from './documented-orders-run.ts';
import { runJobs } from './documented-orders-stage.ts';
import type { Choice } from './documented-orders-steps.ts';
import type { EntryState } from './documented-orders-waitlist.ts';

/** Steps on waiting lists, and those of staff on the event. */
export function createOtherSteps(run: Run) {
  const { model, rules, waitlist, staff, world } = run;
  const { event } = model;

  /** Someone joins a waiting list; sometimes an address that is on the list already. */
  async function join({ a, b, c }: Choice) {
    const type = event.types[a % event.types.length];
    if (!type) return;
    const now = run.getNow();
    const max = waitlist.toMaxQuantity(type);
    const quantity = [1, 2, 3, max, max + 1, 0][b % 6] ?? 1;
    if (!Number.isFinite(quantity)) return;
    const known =
      c % 5 === 0
        ? waitlist.entries.find(
            (entry) => entry.typeId === type.id && ['WAITING', 'OFFERED'].includes(entry.status),
          )
        : undefined;
    const email = known?.email ?? `${v7()}@example.org`;
    const acceptsFewer = c % 2 === 0;
    const { must, may } = expectNothing();
    const left = model.countLeft(type, now);
    if (quantity < 1) must.add('INVALID_INPUT');
    if (quantity > max) must.add('TOO_MANY');
    if (quantity > type.maxPerOrder) may.add('TOO_MANY');
    // The guide calls the type sold out. It does not say whether that includes a type with fewer tickets than requested.
    if (left > 0) (left >= quantity ? must : may).add('STILL_AVAILABLE');
    if (event.isCancelled) must.add('EVENT_CANCELLED');
    if (now >= event.endsAt) must.add('EVENT_OVER');
    if (type.salesStartAt !== null && now < type.salesStartAt) must.add('SALE_NOT_OPEN');
    if (type.salesEndAt !== null && now >= type.salesEndAt) must.add('SALE_CLOSED');
    if (type.isForMembers && !known) must.add('MEMBERS_ONLY');
    const { reason, payload } = await run.mutate(
      'joinWaitlist',
      { ticketTypeId: type.id, quantity, email, name: 'Ola Nord', acceptsFewer },
      'quantity ticketTypeId',
    );
    compareReason('join', { must, may }, reason, { type, left, quantity, max, known });
    if (reason !== null) return;
    compare('join repeats the request', { payload }, payload.quantity === quantity);
    if (known) return;
    const { data } = await run.app.graphql(
      'query ($id: String!) { event(slug: $id) { waitlist(first: 100) { nodes { id email } } } }',
      { id: event.id },
      staff,
    );
    const row = data.event.waitlist.nodes.find((node: { email: string }) => node.email === email);
    waitlist.entries.push({
      ...{ id: row.id, email, secret: (await run.findMailedSecret(email, 'waitlist')) ?? '' },
      ...{
        typeId: type.id,
        quantity,
        acceptsFewer,
        hasDeclinedFewer: false,
        place: waitlist.takePlace(),
      },
      ...{ status: 'WAITING', order: null },
    });
    // The documents do not say when a person gets an offer who joins while fewer tickets are left than requested.
    if (left > 0) await runJobs(run.app);
    run.offerTickets();
    // Places are ordered by time, and the clock of the test stands still.
    run.app.clock.now = new Date(run.getNow() + 1);
  }

  async function changeEntry(entry: EntryState, { b, c }: Choice) {
    const type = event.types.find(({ id }) => id === entry.typeId);
    if (!type) return;
    const max = waitlist.toMaxQuantity(type);
    const quantity = [undefined, 1, 2, 3, max, max + 1, 0][b % 7];
    if (quantity === Infinity) return;
    const acceptsFewer = [undefined, true, false][c % 3];
    if (quantity === undefined && acceptsFewer === undefined) return;
    const changes = {
      ...(quantity === undefined ? {} : { quantity }),
      ...(acceptsFewer === undefined ? {} : { acceptsFewer }),
    };
    const { must, may } = expectNothing();
    if (entry.status !== 'WAITING') must.add('NOT_WAITING');
    if (quantity !== undefined && quantity < 1) must.add('INVALID_INPUT');
    // An entry that has wanted so many before the capacity was lowered keeps its quantity.
    if (quantity !== undefined && quantity > max)
      (quantity > entry.quantity ? must : may).add('TOO_MANY');
    if (quantity !== undefined && quantity > type.maxPerOrder) may.add('TOO_MANY');
    if (!waitlist.isOnSale(type, run.getNow()))
      for (const reason of [
        'EVENT_OVER',
        'SALE_CLOSED',
        'SALE_NOT_OPEN',
        'NOT_WAITING',
        'EVENT_CANCELLED',
      ])
        may.add(reason);
    const { reason } = await run.mutate(
      'changeWaitlistEntry',
      { secret: entry.secret, ...changes },
      'waitlistEntry { status }',
    );
    compareReason('change entry', { must, may }, reason, { entry, changes, max });
    if (reason !== null) return;
    run.app.clock.now = new Date(run.getNow() + 1);
    waitlist.changeEntry(entry, changes);
    run.offerTickets();
  }

  async function leave(entry: EntryState) {
    const { reason } = await run.mutate('leaveWaitlist', { secret: entry.secret }, 'quantity');
    const isOpen = ['WAITING', 'OFFERED'].includes(entry.status);
    compare(`leave ${isOpen ? 'in time' : 'again'}`, { entry, reason }, reason === null);
    if (entry.status === 'ACCEPTED') return;
    if (entry.status === 'OFFERED' && entry.order) rules.endOrder(entry.order, 'CANCELLED');
    entry.status = 'WITHDRAWN';
    run.offerTickets();
  }

  /** Staff changes the capacity of the event or of the day pass type. */
  async function changeCapacity({ a, b }: Choice) {
    if (a % 4 === 0) return changePassCapacity(b);
    const taken = model.countTaken(null, null, run.getNow());
    const capacity = [taken, taken + 1, taken + 3, taken - 1, null][b % 5] ?? null;
    const { must, may } = expectNothing();
    if (capacity !== null && capacity < 1)
      for (const reason of ['INVALID_INPUT', 'CAPACITY_BELOW_SOLD'])
        (capacity < taken ? must : may).add(reason);
    else if (capacity !== null && capacity < taken) must.add('CAPACITY_BELOW_SOLD');
    addEnded(may);
    const { reason } = await run.mutate(
      'updateEvent',
      { id: event.id, capacity },
      'event { id }',
      staff,
    );
    compareReason('capacity', { must, may }, reason, { capacity, taken });
    if (reason !== null) return;
    event.capacity = capacity;
    run.offerTickets();
  }

  async function changePassCapacity(b: number) {
    const days = new Set(model.orders.flatMap(({ validOn }) => validOn ?? []));
    const sold = Math.max(
      0,
      ...[...days].map((day) => model.countTaken(model.pass.id, day, run.getNow())),
    );
    const dailyCapacity = [sold, sold + 1, sold - 1, null][b % 4] ?? null;
    const { must, may } = expectNothing();
    if (dailyCapacity !== null && dailyCapacity < sold) must.add('DAILY_CAPACITY_BELOW_SOLD');
    if (dailyCapacity !== null && dailyCapacity < 1)
      (dailyCapacity < 0 ? must : may).add('INVALID_INPUT');
    // Days that are over need not keep their passes below the new limit.
    const wasSold = [...days].some(
      (day) =>
        model.countTaken(model.pass.id, day, run.getNow()) > (dailyCapacity ?? Infinity) &&
        model.toLocal(run.getNow()).toPlainDate().toString() > day,
    );
    if (wasSold) {
      must.delete('DAILY_CAPACITY_BELOW_SOLD');
      may.add('DAILY_CAPACITY_BELOW_SOLD');
    }
    const { reason } = await run.mutate(
      'updateDayPassType',
      { id: model.pass.id, dailyCapacity },
      'dayPassType { id }',
      staff,
    );
    compareReason('daily capacity', { must, may }, reason, { dailyCapacity, sold });
    if (reason === null) model.pass.dailyCapacity = dailyCapacity;
  }

  async function changeQuantity({ a, b }: Choice) {
    const type = event.types[a % event.types.length];
    if (!type) return;
    const taken = model.countTaken(type.id, null, run.getNow());
    const quantity = [taken, taken + 1, taken + 2, taken - 1, null][b % 5] ?? null;
    const { must, may } = expectNothing();
    if (quantity !== null && quantity < taken) must.add('QUANTITY_BELOW_SOLD');
    if (quantity !== null && quantity < 1) (quantity < 0 ? must : may).add('INVALID_INPUT');
    addEnded(may);
    const { reason } = await run.mutate(
      'updateTicketType',
      { id: type.id, quantity },
      'ticketType { id }',
      staff,
    );
    compareReason('quantity', { must, may }, reason, { quantity, taken });
    if (reason !== null) return;
    type.quantity = quantity;
    run.offerTickets();
  }

  /** The documents do not say what staff can change after the end. */
  function addEnded(may: Set<string>) {
    if (!event.isCancelled && run.getNow() < event.endsAt) return;
    for (const reason of ['EVENT_OVER', 'EVENT_CANCELLED', 'NOT_LIVE', 'OVER']) may.add(reason);
  }

  async function cancelEvent() {
    const { must, may } = expectNothing();
    if (event.isCancelled) may.add('EVENT_CANCELLED').add('NOT_LIVE');
    if (run.getNow() >= event.startsAt)
      for (const reason of ['EVENT_OVER', 'STARTED', 'NOT_LIVE', 'OVER']) may.add(reason);
    const { reason } = await run.mutate('cancelEvent', { id: event.id }, 'event { status }', staff);
    compareReason('cancel event', { must, may }, reason, { event });
    if (reason !== null || event.isCancelled) return;
    event.isCancelled = true;
    await cancelEventOrders(run.app.ctx);
    for (const order of model.orders) {
      if (order.validOn !== null || !['PENDING', 'PAID'].includes(order.status)) continue;
      order.refunded = order.paid;
      for (const seat of order.seats) seat.isValid = false;
      rules.endOrder(order, 'CANCELLED');
    }
    for (const entry of waitlist.entries)
      if (['WAITING', 'OFFERED'].includes(entry.status)) entry.status = 'EXPIRED';
  }

  return { join, changeEntry, leave, changeCapacity, changeQuantity, cancelEvent, world };
}
