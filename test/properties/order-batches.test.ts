import fc from 'fast-check';
import { v7 } from 'uuid';
import { anonymous } from '../../src/auth/viewer.ts';
import type { Context } from '../../src/context.ts';
import type { SeatLimit } from '../../src/features/orders/limits/seat-limits.ts';
import { buildOrder, priceOrder } from '../../src/features/orders/place/build-order.ts';
import type { NewOrder } from '../../src/features/orders/place/decide-orders.ts';
import { insertOrders } from '../../src/features/orders/place/insert-orders.ts';
import { BUYER, makeEvent } from '../support/factories/events.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

const RUNS = propertyRuns(20);
const PRICE = 1_000;
const SUBJECTS = 3;

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

const count = (max: number) => fc.option(fc.nat({ max }));

const requestedOrder = fc.record({
  /** How many tickets of each type. */
  quantities: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat({ max: 2 })),
  code: fc.option(fc.nat({ max: 1 })),
  /** The subjects whose seats it counts, such as an email and an IP address. */
  subjects: fc.uniqueArray(fc.nat({ max: SUBJECTS - 1 })),
  /** Whether the buyer saw another price. */
  isOutdated: fc.nat({ max: 9 }).map((n) => n === 0),
  isFree: fc.boolean(),
  /** How many hours pass before it. Windows of order limits can end. */
  hoursLater: fc.constantFrom(0, 0, 0, 1, 20),
});

const sale = fc.record({
  capacity: count(20),
  quantities: fc.tuple(count(12), count(6)),
  maxUses: fc.tuple(count(3), count(3)),
  limits: fc.array(
    fc.record({
      maxSeats: fc.integer({ min: 1, max: 8 }),
      minSeats: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: SUBJECTS, maxLength: SUBJECTS },
  ),
  batches: fc.array(fc.array(requestedOrder, { minLength: 1, maxLength: 10 }), {
    minLength: 1,
    maxLength: 3,
  }),
});
type Sale = typeof sale extends fc.Arbitrary<infer S> ? S : never;
type RequestedOrder = Sale['batches'][number][number];

test('orders of a batch get the outcomes that they get one after another', async () => {
  const seen = new Set<string>();
  await checkProperty(
    fc.asyncProperty(sale, async (generated) => {
      const [together, separate] = [await openSale(generated), await openSale(generated)];
      for (const batch of generated.batches) {
        const outcomes = await together.place(batch);
        const expected = [];
        for (const order of batch) expected.push(...(await separate.place([order])));
        expect(outcomes).toEqual(expected);
        expect(await together.readState()).toEqual(await separate.readState());
        for (const outcome of outcomes) seen.add(outcome);
      }
    }),
    { numRuns: RUNS, endOnFailure: Boolean(process.env.PROPERTY_FAST) },
  );
  // The generated sales reach every outcome.
  const all = ['CHANGED', 'DISCOUNT_USED_UP', 'PLACED', 'SEAT_LIMIT_REACHED', 'SOLD_OUT'];
  expect([...seen].sort()).toEqual(all);
});

/** Creates the event and the discount codes of a generated sale. */
async function openSale({ capacity, quantities, maxUses, limits }: Sale) {
  const { db, sqlTransaction } = app.ctx;
  const event = await makeEvent(app, {
    capacity,
    types: quantities.map((quantity) => ({ quantity, priceAmount: PRICE })),
  });
  const codes: string[] = [];
  for (const max of maxUses) {
    const code = `C${v7().replaceAll('-', '').toUpperCase().slice(12)}`;
    const data = { code, percent: 10, maxUses: max, eventId: event.id };
    codes.push((await db.discountCode.create({ data })).id);
  }
  const subjects: SeatLimit[] = limits.map((limit) => ({
    ...limit,
    key: `\\x${v7().replaceAll('-', '')}`,
    kind: 'address',
  }));
  let now = app.clock.now.getTime();

  function toNewOrder(requested: RequestedOrder): NewOrder {
    now += requested.hoursLater * 3_600_000;
    const ctx: Context = { ...app.ctx, viewer: anonymous, now: () => new Date(now) };
    const unitPrice = requested.isOutdated ? PRICE + 1 : PRICE;
    const units = requested.quantities.flatMap((quantity, n) =>
      Array.from({ length: quantity }, () => ({
        itemId: event.types[n] ?? '',
        unitPrice,
        person: BUYER,
      })),
    );
    const pricing = priceOrder(units, null, 'EUR');
    const counted = requested.subjects.flatMap((n) => subjects[n] ?? []);
    const { row } = buildOrder(ctx, requested.isFree ? { ...pricing, totalAmount: 0 } : pricing, {
      buyer: BUYER,
      eventId: event.id,
      discountCodeId: requested.code === null ? undefined : codes[requested.code],
      seatKeys: counted.map(({ key }) => key),
    });
    return { row, units: pricing.units, seats: { limits: counted, windowHours: 24 } };
  }

  const place = (batch: RequestedOrder[]) =>
    sqlTransaction(async (sql) => {
      const shared = { eventId: event.id };
      return (await insertOrders(sql, shared, batch.map(toNewOrder))).outcomes;
    });

  /** Everything that placing orders changes, without ids. */
  async function readState() {
    const { reservedCount, ticketTypes } = await db.event.findUniqueOrThrow({
      where: { id: event.id },
      include: { ticketTypes: { orderBy: { position: 'asc' } } },
    });
    const orders = await db.order.findMany({
      where: { eventId: event.id },
      orderBy: { id: 'asc' },
      include: { tickets: true, accessTokens: true },
    });
    const uses = await db.discountCode.findMany({
      where: { eventId: event.id },
      orderBy: { id: 'asc' },
    });
    const usages = await Promise.all(
      subjects.map(({ key }) =>
        db.seatUsage.findUnique({ where: { key: Buffer.from(key.slice(2), 'hex') } }),
      ),
    );
    return {
      reservedCount,
      types: ticketTypes.map((type) => type.reservedCount),
      uses: uses.map((code) => code.uses),
      usages: usages.map((usage) => usage && { ...usage, key: null }),
      orders: orders.map(({ status, createdAt, tickets, accessTokens }) => ({
        status,
        createdAt,
        tickets: tickets
          .map(({ ticketTypeId, status }) => [event.types.indexOf(ticketTypeId), status])
          .sort(),
        links: accessTokens.length,
      })),
    };
  }

  return { place, readState };
}
