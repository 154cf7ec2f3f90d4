import fc from 'fast-check';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';
import { createCheckInSteps } from '../support/models/documented-orders-check-ins.ts';
import { createOtherSteps } from '../support/models/documented-orders-other-steps.ts';
import { createRun, decisions } from '../support/models/documented-orders-run.ts';
import { openWorld, type WorldPlan } from '../support/models/documented-orders-stage.ts';
import {
  type Channel,
  type Choice,
  createOrderSteps,
} from '../support/models/documented-orders-steps.ts';

const RUNS = propertyRuns(8);

let app: TestApp;
let staff: { token: string };
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  const scopes = ['orders', 'events', 'day-passes', 'check-ins'];
  staff = {
    token: await app.token(...scopes.flatMap((noun) => [`${noun}:read`, `${noun}:write`])),
  };
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

const small = (max: number) => fc.option(fc.integer({ min: 1, max }), { freq: 3 });

const world: fc.Arbitrary<WorldPlan> = fc.record({
  capacity: small(9),
  refundHours: fc.constantFrom(null, 0, 1, 24),
  confirmFreeOrders: fc.constantFrom(null, false, false, true),
  startsIn: fc.constantFrom(1, 2, 26, 170),
  lastsHours: fc.constantFrom(1, 3),
  types: fc.array(
    fc.record({
      price: fc.constantFrom(0, 1, 999, 1_000, 2_550),
      quantity: small(6),
      maxPerOrder: fc.constantFrom(1, 2, 3, 4, 10),
      isForMembers: fc.constantFrom(false, false, false, true),
      salesStartIn: fc.constantFrom(null, null, null, 0.5),
      salesEndIn: fc.constantFrom(null, null, null, 1, 20),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  pass: fc.record({
    price: fc.constantFrom(0, 1_500),
    dailyCapacity: small(4),
    daysAhead: fc.constantFrom(0, 1, 3, 60),
    zone: fc.constantFrom('Europe/Berlin', 'America/Los_Angeles', 'Pacific/Auckland'),
  }),
  codes: fc.tuple(
    fc.record({
      percent: fc.constantFrom(33, 50, 100),
      amount: fc.constant(null),
      maxUses: fc.constantFrom(1, 2, null),
      endsIn: fc.constantFrom(1, 100),
    }),
    fc.record({
      percent: fc.constant(null),
      amount: fc.constantFrom(1, 500, 5_000),
      maxUses: fc.constantFrom(1, null),
      endsIn: fc.constantFrom(2, 100),
    }),
  ),
  startsAfterMinutes: fc.integer({ min: 20, max: 6_000 }),
});

const step = fc.record({
  do: fc.constantFrom(
    ...[
      'place',
      'place',
      'place',
      'place',
      'pass',
      'pass',
      'twice',
      'two',
      'pay',
      'pay',
      'pay',
      'pay',
      'late',
    ],
    ...[
      'confirm',
      'extend',
      'extend',
      'cancel',
      'cancel',
      'refund',
      'holder',
      'join',
      'join',
      'join',
      'entry',
      'entry',
      'leave',
    ],
    ...['capacity', 'quantity', 'cancelEvent', 'wait', 'wait', 'wait', 'apis'],
    ...['scan', 'scan', 'scan', 'scan', 'scan', 'scanOrder', 'endVisit', 'begin', 'begin'],
  ),
  a: fc.nat({ max: 9_999 }),
  b: fc.nat({ max: 9_999 }),
  c: fc.nat({ max: 9_999 }),
});
type Step = { do: string } & Choice;

test('orders, waiting lists and check-ins follow the documented rules', async () => {
  await checkProperty(
    fc.asyncProperty(
      world,
      fc.array(step, { minLength: 25, maxLength: 60 }),
      async (plan, steps) => {
        const opened = await openWorld(app, plan);
        const run = createRun(app, opened, staff);
        const take = createStepTaker(run);
        for (const one of steps) {
          await take(one);
          await run.checkEvent();
        }
        for (const order of run.model.orders) await run.checkOrder(order);
        await run.checkPlaces();
      },
    ),
    { numRuns: RUNS, endOnFailure: Boolean(process.env.PROPERTY_FAST) },
  );
});

const WAITS = [1, 5, 14, 15, 16, 30, 59, 60, 120, 600, 1_440, 1_500];

function createStepTaker(run: ReturnType<typeof createRun>) {
  const { model, waitlist } = run;
  const orders = createOrderSteps(run);
  const others = createOtherSteps(run);
  const checkIns = createCheckInSteps(run);
  const pick = <Item>(items: Item[], n: number): Item | undefined =>
    items[n % Math.max(1, items.length)];
  const channels: Channel[] = ['REST', 'GraphQL', 'member', 'staff'];

  function toRequest({ a, b, c }: Choice, channel: Channel, isPass: boolean) {
    const codeText =
      c % 4 === 0
        ? (pick([...model.codes.map(({ code }) => code.toLowerCase()), 'NOSUCHCODE'], c >> 2) ??
          null)
        : null;
    const who = { codeText, isMember: channel === 'member', isStaff: channel === 'staff' };
    if (isPass) {
      const days = [0, 0, 1, 1, 2, -1, model.pass.daysAhead, model.pass.daysAhead + 1][a % 8] ?? 0;
      const validOn = model.toLocal(run.getNow()).toPlainDate().add({ days }).toString();
      return {
        ...who,
        validOn,
        items: [{ typeId: model.pass.id, quantity: [1, 1, 2, 3, 10, 11][b % 6] ?? 1 }],
      };
    }
    const items = Array.from({ length: 1 + (a % 7 === 0 ? 1 : 0) }, (_, n) => {
      const type = pick(model.event.types, a + n);
      const max = type?.maxPerOrder ?? 1;
      const quantity = [1, 1, 1, 2, 2, max, max + 1, 0][(b + n) % 8] ?? 1;
      return { typeId: a % 97 === 0 ? model.pass.id : (type?.id ?? ''), quantity };
    });
    return { ...who, validOn: null, items };
  }

  return async (one: Step) => {
    const { a, b, c } = one;
    const channel = channels[(a + b + c) % 4] ?? 'REST';
    const order = pick(
      model.orders.filter(({ id }) => id !== ''),
      a,
    );
    const entry = pick(waitlist.entries, a);
    if (one.do === 'place' || one.do === 'pass')
      await orders.place(toRequest(one, channel, one.do === 'pass'), channel);
    else if (one.do === 'twice')
      await orders.placeTwice(toRequest(one, 'REST', c % 3 === 0), b % 2 === 0);
    else if (one.do === 'two') await orders.placeTwo(toRequest(one, 'REST', c % 3 === 0));
    else if (one.do === 'join') await others.join(one);
    else if (one.do === 'capacity') await others.changeCapacity(one);
    else if (one.do === 'quantity') await others.changeQuantity(one);
    else if (one.do === 'cancelEvent' && a % 4 === 0) await others.cancelEvent();
    else if (one.do === 'wait' || one.do === 'begin') {
      // Some waits end when tickets become valid, at either end of the hour before the event.
      const untilStart =
        (model.event.startsAt - run.getNow()) / 60_000 - (pick([60, 61, 30, 0], b) ?? 0);
      await run.wait(one.do === 'begin' && untilStart > 0 ? untilStart : (pick(WAITS, a) ?? 1));
      await checkIns.endOverdueVisits();
    } else if (entry && one.do === 'entry') await others.changeEntry(entry, one);
    else if (entry && one.do === 'leave') await others.leave(entry);
    else if (!order) return;
    else if (one.do === 'pay') {
      const pending = pick(
        model.orders.filter(({ id, status }) => id !== '' && status === 'PENDING'),
        b,
      );
      await orders.markPaid(pending ?? order);
    } else if (one.do === 'late')
      await orders.markPaid(
        pick(
          model.orders.filter(({ status }) => status === 'EXPIRED'),
          b,
        ) ?? order,
      );
    else if (one.do === 'extend') await orders.extend(order, one);
    else if (one.do === 'confirm') await orders.confirm(order, b % 3 !== 0);
    else if (one.do === 'cancel') await orders.cancel(order, one);
    else if (one.do === 'refund') await orders.refund(order, one);
    else if (one.do === 'holder') await orders.changeHolder(order, one);
    else if (one.do === 'scan') {
      const usable = pick(
        model.orders.filter(({ seats }) => seats.length > 0),
        a,
      );
      await checkIns.scanSeat(usable ?? order, one);
    } else if (one.do === 'scanOrder') await checkIns.scanOrder(order, one);
    else if (one.do === 'endVisit') await checkIns.endVisit(order, one);
    else if (one.do === 'apis') await run.compareApis(order);
    if (order) await run.checkOrder(order);
  };
}
