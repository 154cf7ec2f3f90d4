import fc from 'fast-check';
import { runInTransaction } from '../../src/context.ts';
import { offerBatch } from '../../src/features/orders/waitlist/service/offer-tickets.ts';
import { makeEvent } from '../support/factories/events.ts';
import { addWaitingEntries } from '../support/factories/waitlist.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

const RUNS = propertyRuns(25);

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

const limit = (max: number) => fc.option(fc.nat({ max }));

const world = fc.record({
  capacity: limit(16),
  quantities: fc.tuple(limit(8), limit(4), limit(12)),
  entries: fc.array(
    fc.record({
      type: fc.nat({ max: 2 }),
      quantity: fc.integer({ min: 1, max: 5 }),
      acceptsFewer: fc.boolean(),
    }),
    { minLength: 1, maxLength: 14 },
  ),
  max: fc.record({
    offers: fc.integer({ min: 1, max: 6 }),
    tickets: fc.integer({ min: 1, max: 12 }),
  }),
  /** How many tickets staff adds to the event and to the first type, after each batch. */
  added: fc.array(fc.nat({ max: 6 }), { maxLength: 3 }),
});
type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

test('offers made in batches are those that are made one after another', async () => {
  const seen = { offered: 0, partly: 0, passedOver: 0, batches: 0 };
  await checkProperty(
    fc.asyncProperty(world, async (generated) => {
      const event = await openEvent(generated);
      const model = createModel(generated);
      for (const added of [...generated.added, 0, 0]) {
        let hasMore = true;
        for (let batch = 0; hasMore && batch < (added > 0 ? 1 : 100); batch += 1) {
          const before = await event.findOffers();
          hasMore = await event.offerBatch();
          const offers = await event.findOffers();
          for (let n = count(before); n < count(offers); n += 1) model.offerNext();
          expect(offers).toEqual(model.offers);
          expect(hasMore).toBe(model.hasMore());
          expect(await event.isPending()).toBe(hasMore);
          seen.batches += 1;
        }
        await event.addTickets(added);
        model.addTickets(added);
      }
      seen.offered += count(model.offers);
      seen.partly += generated.entries.filter(
        ({ quantity }, n) => (model.offers[n] ?? 0) % quantity > 0,
      ).length;
      seen.passedOver += model.offers.filter(
        (o, n) => o === 0 && model.offers.slice(n).some(Boolean),
      ).length;
    }),
    { numRuns: RUNS, endOnFailure: Boolean(process.env.PROPERTY_FAST) },
  );
  // The generated worlds have offers, also for some of the tickets, entries that are passed over, and several batches.
  expect(Math.min(seen.offered, seen.partly, seen.passedOver, seen.batches - RUNS)).toBeGreaterThan(
    0,
  );
});

const count = (offers: number[]) => offers.filter(Boolean).length;

/** Creates the event and its waiting list. */
async function openEvent({ capacity, quantities, entries, max }: World) {
  const { db } = app.ctx;
  const event = await makeEvent(app, {
    capacity,
    types: quantities.map((quantity) => ({ quantity, priceAmount: 1_000 })),
  });
  const ids = await addWaitingEntries(
    app,
    entries.map(({ type, ...entry }) => ({ ...entry, ticketTypeId: event.types[type] ?? '' })),
  );
  const readEvent = () => db.event.findUniqueOrThrow({ where: { id: event.id } });
  return {
    offerBatch: () =>
      runInTransaction(app.ctx, async (tx) => {
        await tx.db.$queryRaw`SELECT 1 FROM events WHERE id = ${event.id}::uuid FOR NO KEY UPDATE`;
        return offerBatch(tx, event.id, max);
      }),
    /** How many tickets each entry was offered, in order of joining. */
    async findOffers(): Promise<number[]> {
      const rows = await db.waitlistEntry.findMany({
        where: { id: { in: ids } },
        include: { order: { include: { tickets: true } } },
      });
      const byId = new Map(rows.map(({ id, order }) => [id, order?.tickets.length ?? 0]));
      return ids.map((id) => byId.get(id) ?? 0);
    },
    isPending: async () => (await readEvent()).offersPending,
    async addTickets(added: number): Promise<void> {
      const first = { where: { id: event.type } };
      const { quantity } = await db.ticketType.findUniqueOrThrow(first);
      if (quantity !== null)
        await db.ticketType.update({ ...first, data: { quantity: quantity + added } });
      const data = { capacity: { increment: added } };
      if (capacity !== null) await db.event.update({ where: { id: event.id }, data });
    },
  };
}

/** Makes one offer at a time: always to the first entry that can be served. */
function createModel({ capacity, quantities, entries }: World) {
  const left = quantities.map((quantity) => quantity ?? Number.POSITIVE_INFINITY);
  let total = capacity ?? Number.POSITIVE_INFINITY;
  const offers: number[] = entries.map(() => 0);
  const countOffer = ({ type, quantity, acceptsFewer }: World['entries'][number]) => {
    const available = Math.min(total, left[type] ?? 0);
    return quantity <= available || acceptsFewer ? Math.min(quantity, available) : 0;
  };
  const findNext = () => entries.findIndex((entry, n) => offers[n] === 0 && countOffer(entry) > 0);
  return {
    offers,
    hasMore: () => findNext() >= 0,
    offerNext(): void {
      const next = findNext();
      const entry = entries[next];
      if (entry === undefined) throw new Error('no entry can be served');
      const offered = countOffer(entry);
      offers[next] = offered;
      total -= offered;
      left[entry.type] = (left[entry.type] ?? 0) - offered;
    },
    addTickets(added: number): void {
      total += added;
      left[0] = (left[0] ?? 0) + added;
    },
  };
}
