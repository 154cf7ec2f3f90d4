import fc from 'fast-check';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';
import { HOUR, MINUTE, startOfDay, toDay } from '../support/models/documented-bookings-time.ts';
import {
  findCounted,
  type PlaceState,
  toBookingPayment,
} from '../support/models/documented-takings.ts';
import { createBookingSteps } from '../support/models/documented-takings-bookings.ts';
import { createClosingSteps } from '../support/models/documented-takings-closings.ts';
import { createComparisons } from '../support/models/documented-takings-comparisons.ts';
import { createOrderSteps } from '../support/models/documented-takings-orders.ts';
import {
  type Choice,
  createRun,
  decisions,
  type Run,
} from '../support/models/documented-takings-run.ts';
import {
  arbitraryWorld,
  type Callers,
  createCallers,
  openWorld,
} from '../support/models/documented-takings-stage.ts';

const RUNS = propertyRuns(4);

let app: TestApp;
let callers: Callers;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  callers = await createCallers(app);
});
afterAll(async () => {
  await app.stop();
  if (process.env.COUNT_DECISIONS) {
    const all = [...decisions].toSorted(([one], [other]) => one.localeCompare(other));
    const total = all.reduce((sum, [, count]) => sum + count, 0);
    process.stdout.write(
      `${total} decisions\n${all.map(([kind, count]) => `${count} ${kind}`).join('\n')}\n`,
    );
  }
});

/** How often each step is taken. */
const STEPS = {
  ...{ sell: 6, place: 4, payOrder: 4, refund: 4, cancelOrder: 2, settle: 6 },
  ...{ moveEvent: 2, cancelEvent: 1, close: 6, correct: 2, wait: 4 },
  ...{
    book: 2,
    bookAndPay: 6,
    payBooking: 4,
    move: 2,
    moveAndPay: 6,
    prolongAndShorten: 6,
    confirm: 2,
  },
  ...{ cancelBooking: 4, undo: 6, giveBack: 4 },
};
const step = fc.record({
  do: fc.oneof(
    ...Object.entries(STEPS).map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) })),
  ),
  a: fc.noBias(fc.nat({ max: 9_999 })),
  b: fc.noBias(fc.nat({ max: 9_999 })),
  c: fc.noBias(fc.nat({ max: 9_999 })),
});

test('takings, payments and closings follow the documented rules', async () => {
  await checkProperty(
    fc.asyncProperty(
      arbitraryWorld,
      fc.array(step, { minLength: 30, maxLength: 70, size: 'max' }),
      async (plan, steps) => {
        const run = createRun(app, await openWorld(app, plan), callers);
        const { take, compareAll } = createStepTaker(run);
        for (const one of steps) {
          await take(one);
          await compareAll(one);
        }
      },
    ),
    { numRuns: RUNS, endOnFailure: process.env.SHRINK === undefined },
  );
}, 3_600_000);

// Not whole hours, so that the clock leaves the deadlines that it reaches at midnight.
const WAITS = [20.5 * MINUTE, HOUR + 7_000, 5 * HOUR, 26 * HOUR];

function createStepTaker(run: Run) {
  const { orders: all, pick, model } = run;
  const orders = createOrderSteps(run);
  const bookings = createBookingSteps(run);
  const closings = createClosingSteps(run);
  const compareAll = createComparisons(run, closings);

  /** Lets time pass: some hours, or until midnight at a location or the moment before or after it. */
  async function wait({ a, b }: Choice) {
    const place = pick(model.places, b) as PlaceState;
    const midnight = startOfDay(place.zone, toDay(place.zone, run.getNow()) + 1);
    const until = midnight + (pick([0, -1, 1, -30_000], b >> 1) ?? 0);
    const next = run.getNow() + (pick(WAITS, a) ?? HOUR);
    run.app.clock.now = new Date(a % 2 === 0 && until > run.getNow() ? until : next);
    await orders.expire();
    await bookings.release();
  }

  async function take(one: Choice & { do: string }) {
    // Most steps change what was made lately, and what they can change, so that several steps meet.
    const find = <Item>(items: readonly Item[], canChange: (item: Item) => boolean) => {
      const suitable = one.b % 5 === 0 ? [] : items.filter(canChange);
      const found = suitable.length > 0 ? suitable : items;
      return pick(one.b % 3 === 0 ? found : found.slice(-3), one.a);
    };
    const order = find(all, ({ payment, total }) =>
      one.do === 'payOrder' ? payment === null && total > 0 : payment !== null,
    );
    const booking = find(bookings.bookings, (booked) => {
      const { open, paid, surplus } = toBookingPayment(booked);
      if (one.do === 'payBooking') return open > 0;
      if (one.do === 'giveBack') return surplus > 0;
      if (one.do === 'confirm') return booked.status === 'PENDING';
      if (one.do === 'undo') return findCounted(booked).length > 1;
      return paid > 0 && booked.status === 'CONFIRMED';
    });
    if (one.do === 'sell') await orders.sell(one);
    else if (one.do === 'place') await orders.place(one);
    else if (one.do === 'settle') await orders.settle(one);
    else if (one.do === 'moveEvent') await orders.moveEvent();
    else if (one.do === 'cancelEvent') await orders.cancelEvent();
    else if (one.do === 'book' || one.do === 'bookAndPay') await bookings.book(one);
    else if (one.do === 'close') await closings.close(one);
    else if (one.do === 'correct') await closings.correct(one);
    else if (one.do === 'wait') await wait(one);
    else if (order && one.do === 'payOrder') await orders.pay(order, one);
    else if (order && one.do === 'refund') await orders.refund(order, one);
    else if (order && one.do === 'cancelOrder') await orders.cancel(order, one);
    else if (booking && one.do === 'payBooking') await bookings.pay(booking, one);
    else if (booking && one.do.startsWith('move')) await bookings.move(booking, one);
    else if (booking && one.do === 'confirm') await bookings.confirm(booking);
    else if (booking && one.do === 'cancelBooking') await bookings.cancel(booking, one);
    else if (booking && one.do === 'undo') await bookings.undo(booking, one);
    else if (booking && one.do === 'giveBack') await bookings.giveBack(booking, one);
  }

  /** A step and, of some, what often follows it. */
  async function takeAll(one: Choice & { do: string }) {
    if (one.do === 'prolongAndShorten') {
      // On the same resource: 3 hours, then 1. The second payment is returned, in whole or in part.
      const a = one.a - (one.a % 6);
      await take({ ...one, a, c: 2, do: 'move' });
      await take({ ...one, a, do: 'payBooking' });
      await take({ ...one, a, c: 0, do: 'move' });
      await take({ ...one, a, do: 'giveBack' });
    } else await take(one);
    if (one.do.endsWith('AndPay')) await take({ ...one, do: 'payBooking' });
  }

  return { take: takeAll, compareAll };
}
