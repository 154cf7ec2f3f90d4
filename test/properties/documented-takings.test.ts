import fc from 'fast-check';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { propertyRuns } from '../support/harness/property-runs.ts';
import { HOUR, MINUTE, startOfDay, toDay } from '../support/models/documented-bookings-time.ts';
import type { PlaceState } from '../support/models/documented-takings.ts';
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

const RUNS = propertyRuns(6);

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

const STEPS = [
  ...[
    'sell',
    'sell',
    'sell',
    'place',
    'place',
    'payOrder',
    'payOrder',
    'refund',
    'refund',
    'refund',
  ],
  ...['cancelOrder', 'settle', 'settle', 'settle', 'moveEvent'],
  ...['book', 'book', 'book', 'book', 'payBooking', 'payBooking', 'payBooking', 'payBooking'],
  ...['move', 'move', 'move', 'confirm', 'cancelBooking', 'cancelBooking', 'undo'],
  ...['giveBack', 'giveBack', 'close', 'close', 'close', 'correct', 'wait', 'wait', 'wait'],
];
const step = fc.record({
  do: fc.oneof(
    { weight: 80, arbitrary: fc.constantFrom(...STEPS) },
    { weight: 1, arbitrary: fc.constant('cancelEvent') },
  ),
  a: fc.noBias(fc.nat({ max: 9_999 })),
  b: fc.noBias(fc.nat({ max: 9_999 })),
  c: fc.noBias(fc.nat({ max: 9_999 })),
});

test('takings, payments and closings follow the documented rules', async () => {
  await fc.assert(
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

const WAITS = [20 * MINUTE, HOUR, 5 * HOUR, 26 * HOUR];

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
    const { a, b } = one;
    // Most steps change what was made lately, so that several steps meet.
    const latest = <Item>(items: readonly Item[]) => pick(b % 3 === 0 ? items : items.slice(-3), a);
    const order = latest(all);
    const booking = latest(bookings.bookings);
    if (one.do === 'sell') await orders.sell(one);
    else if (one.do === 'place') await orders.place(one);
    else if (one.do === 'settle') await orders.settle(one);
    else if (one.do === 'moveEvent') await orders.moveEvent();
    else if (one.do === 'cancelEvent') await orders.cancelEvent();
    else if (one.do === 'book') await bookings.book(one);
    else if (one.do === 'close') await closings.close(one);
    else if (one.do === 'correct') await closings.correct(one);
    else if (one.do === 'wait') await wait(one);
    else if (order && one.do === 'payOrder') await orders.pay(order, one);
    else if (order && one.do === 'refund') await orders.refund(order, one);
    else if (order && one.do === 'cancelOrder') await orders.cancel(order, one);
    else if (booking && one.do === 'payBooking') await bookings.pay(booking, one);
    else if (booking && one.do === 'move') await bookings.move(booking, one);
    else if (booking && one.do === 'confirm') await bookings.confirm(booking);
    else if (booking && one.do === 'cancelBooking') await bookings.cancel(booking, one);
    else if (booking && one.do === 'undo') await bookings.undo(booking, one);
    else if (booking && one.do === 'giveBack') await bookings.giveBack(booking, one);
  }

  return { take, compareAll };
}
