import { v7 } from 'uuid';
import { anonymous } from '../../../src/auth/viewer.ts';
import { type Context, createQueues, runInTransaction } from '../../../src/context.ts';
import { withSharedIdempotency } from '../../../src/db/idempotency.ts';
import type { SqlTransaction } from '../../../src/db/sql-transaction.ts';
import { DomainError } from '../../../src/errors.ts';
import { placeDayPassOrder } from '../../../src/features/orders/place/service/place-day-pass-order.ts';
import { placeTicketOrder } from '../../../src/features/orders/place/service/place-ticket-order.ts';
import { BUYER, makeEvent } from '../../support/factories/events.ts';
import { checkTransaction } from '../../support/fakes/failing-transaction.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ config: { TRUST_PROXY: '1' } });
});
afterAll(() => app.stop());

/** The context of anonymous buyers, with queues of its own. `onStatement` is called before each statement of a batch. */
function createBuyerContext(onStatement: (text: string) => void = () => {}) {
  const counted = { transactions: 0, statements: 0 };
  const checked = checkTransaction(app.ctx.sqlTransaction, (text) => {
    counted.statements += 1;
    onStatement(text);
  });
  const sqlTransaction: SqlTransaction = (work) => {
    counted.transactions += 1;
    return checked(work);
  };
  const ctx: Context = { ...app.ctx, viewer: anonymous, queues: createQueues(10), sqlTransaction };
  return { ctx, counted };
}

const times = <T>(count: number, run: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)));

/** The status of the order, or the reason of its rejection. */
const toResult = (placing: Promise<{ status: unknown }>) =>
  placing.then(
    ({ status }) => String(status),
    (error) => (error instanceof DomainError ? error.details.reason : String(error)),
  );

type Event = Awaited<ReturnType<typeof makeEvent>>;

const order = (ctx: Context, event: Event, quantity = 1) =>
  toResult(
    placeTicketOrder(ctx, {
      event: event.id,
      buyer: BUYER,
      items: [{ ticketTypeId: event.type, quantity }],
    }),
  );

/** Orders with an idempotency key, as the APIs do. */
const orderWithKey = (ctx: Context, event: Event, key: string, quantity = 1) =>
  withSharedIdempotency(
    ctx,
    { caller: 'test', key, request: [event.id, quantity] },
    (ctx) =>
      placeTicketOrder(ctx, {
        event: event.id,
        buyer: BUYER,
        items: [{ ticketTypeId: event.type, quantity }],
      }),
    (order) => ({ status: 201, body: JSON.stringify(order) }),
  );

const toKeyedResult = (placing: ReturnType<typeof orderWithKey>) =>
  toResult(placing.then(({ status }) => ({ status })));

const countTickets = (event: Event) =>
  app.ctx.db.ticket.count({ where: { eventId: event.id, status: { in: ['held', 'valid'] } } });

const count = (results: unknown[], result: string) =>
  results.filter((one) => one === result).length;

describe('orders that wait for the same event', () => {
  it('share transactions and statements, and get exactly the stock', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 25 }] });
    const { ctx, counted } = createBuyerContext();
    const results = await times(60, () => order(ctx, event));
    expect(count(results, 'pending')).toBe(25);
    expect(count(results, 'SOLD_OUT')).toBe(35);
    expect(await countTickets(event)).toBe(25);
    expect(counted.transactions).toBeLessThan(10);
    expect(counted.statements).toBeLessThanOrEqual(counted.transactions * 4);
  });

  it('are not harmed by an order that the database rejects', async () => {
    // Enough for all, since an order that comes later would find no ticket left.
    const event = await makeEvent(app, { types: [{ quantity: 12 }] });
    const { ctx } = createBuyerContext();
    const erased: Context = { ...ctx, viewer: { kind: 'member', id: v7() } as Context['viewer'] };
    const results = await times(12, (n) => order(n % 6 === 1 ? erased : ctx, event));
    expect(count(results, 'pending')).toBe(10);
    expect(results[1]).toMatch(/orders_member_id_fkey/);
    const later = await times(3, () => order(ctx, event));
    expect(later.sort()).toEqual(['SOLD_OUT', 'pending', 'pending']);
    expect(await countTickets(event)).toBe(12);
  });

  it('fail if the database does, and leave nothing behind', async () => {
    const event = await makeEvent(app);
    const { ctx } = createBuyerContext((text) => {
      if (text.includes('INSERT INTO tickets'))
        throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    });
    const results = await times(5, () => order(ctx, event));
    expect(new Set(results)).toEqual(new Set(['Error: gone']));
    expect(await countTickets(event)).toBe(0);
    expect(await order(createBuyerContext().ctx, event)).toBe('pending');
  });

  it('are placed in the current transaction if there is one', async () => {
    const event = await makeEvent(app);
    const { ctx, counted } = createBuyerContext();
    const rolledBack = runInTransaction(ctx, async (tx) => {
      expect(await order(tx, event)).toBe('pending');
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(counted.transactions).toBe(0);
    expect(await countTickets(event)).toBe(0);
  });
});

describe('orders with idempotency keys', () => {
  it('share a transaction with others, and each key is used once', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 100 }] });
    const { ctx, counted } = createBuyerContext();
    const run = v7();
    const place = () =>
      times(40, async (n) => (await orderWithKey(ctx, event, `${run} ${n % 20}`)).body);
    const [bodies, others] = await Promise.all([place(), times(5, () => order(ctx, event))]);
    expect(new Set(bodies).size).toBe(20);
    expect(bodies.slice(0, 20)).toEqual(bodies.slice(20));
    expect(new Set(others)).toEqual(new Set(['pending']));
    expect(await place()).toEqual(bodies);
    expect(await countTickets(event)).toBe(25);
    expect(counted.transactions).toBeLessThan(15);
  });

  it('keep their keys free if they are rejected', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 3 }] });
    const { ctx } = createBuyerContext();
    const run = v7();
    const results = await times(6, (n) => toKeyedResult(orderWithKey(ctx, event, `${run} ${n}`)));
    expect(count(results, '201')).toBe(3);
    expect(count(results, 'SOLD_OUT')).toBe(3);
    await app.ctx.db.ticketType.update({ where: { id: event.type }, data: { quantity: 10 } });
    const again = await times(6, (n) => toKeyedResult(orderWithKey(ctx, event, `${run} ${n}`)));
    expect(count(again, '201')).toBe(6);
    expect(await countTickets(event)).toBe(6);
  });

  it('return the stored response although the order would now be rejected', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 3 }] });
    const { ctx } = createBuyerContext();
    const key = v7();
    const first = await orderWithKey(ctx, event, key);
    await app.ctx.db.event.update({ where: { id: event.id }, data: { status: 'cancelled' } });
    expect(await orderWithKey(ctx, event, key)).toEqual(first);
    expect(await toKeyedResult(orderWithKey(ctx, event, v7()))).toBe('EVENT_CANCELLED');
    expect(await toKeyedResult(orderWithKey(ctx, event, key, 2))).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('fail and are rolled back if their responses cannot be stored', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 10 }] });
    let canStore = false;
    const { ctx } = createBuyerContext((text) => {
      if (text.includes('SET status = r.status') && !canStore) throw new Error('no');
    });
    const run = v7();
    const place = () => times(3, (n) => toKeyedResult(orderWithKey(ctx, event, `${run} ${n}`)));
    const [keyed, others] = await Promise.all([place(), times(3, () => order(ctx, event))]);
    expect(new Set(keyed)).toEqual(new Set(['Error: no']));
    expect(new Set(others)).toEqual(new Set(['pending']));
    expect(await countTickets(event)).toBe(3);
    canStore = true;
    expect(new Set(await place())).toEqual(new Set(['201']));
    expect(await countTickets(event)).toBe(6);
  });
});

test('day passes of one date share transactions too', async () => {
  const { ctx, counted } = createBuyerContext();
  const location = await app.ctx.db.location.findFirstOrThrow();
  const type = await app.ctx.db.dayPassType.create({
    data: {
      name: 'Rush',
      locationId: location.id,
      priceAmount: 500,
      dailyCapacity: 7,
      maxSeatsPerEmail: 100,
    },
  });
  const dates = Array.from({ length: 7 }, (_, n) => `2026-03-${20 + n}`);
  let results: unknown[] = [];
  for (const validOn of dates) {
    results = await times(20, () =>
      toResult(placeDayPassOrder(ctx, { buyer: BUYER, dayPassTypeId: type.id, validOn })),
    );
    if (!results.includes('CLOSED')) break;
  }
  expect(count(results, 'pending')).toBe(7);
  expect(count(results, 'SOLD_OUT')).toBe(13);
  expect(counted.transactions).toBeLessThan(8);
});
