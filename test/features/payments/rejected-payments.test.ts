import { v7 } from 'uuid';
import { runInTransaction } from '../../../src/context.ts';
import { applyPayment } from '../../../src/features/orders/service/apply-payment.ts';
import { refundOrder } from '../../../src/features/orders/service/cancel-order.ts';
import { PAID_ONLINE } from '../../../src/features/orders/service/confirm-order.ts';
import {
  offerAvailableTickets,
  offerBatch,
} from '../../../src/features/orders/waitlist/service/offer-tickets.ts';
import { createDayPassActions } from '../../support/factories/day-passes.ts';
import { expectRejected, makeEvent, placeOrder } from '../../support/factories/events.ts';
import { fetchPage, makeOrder } from '../../support/factories/payments.ts';
import { createWaitlistActions } from '../../support/factories/waitlist.ts';
import { startStripe, type TestStripe } from '../../support/fakes/stripe.ts';
import { insertSession, STAFF, startApp, type TestApp } from '../../support/harness/app.ts';
import { waitUntil } from '../../support/harness/wait-until.ts';

let app: TestApp;
let stripe: TestStripe;
let cookie: string;
beforeAll(async () => {
  stripe = await startStripe();
  app = await startApp({ config: stripe.config });
  cookie = await insertSession(app.ctx, STAFF.owner);
});
afterEach(() => stripe.reset());
afterAll(async () => {
  await app.stop();
  await stripe.stop();
});

const makeCode = async (percent: number) =>
  (await app.ctx.db.discountCode.create({ data: { code: v7().toUpperCase(), percent } })).code;

describe('an order that the provider would reject', () => {
  it('is rejected before it holds tickets, by its total after the discount', async () => {
    const event = await makeEvent(app, { types: [{ priceAmount: 30 }, { priceAmount: 100 }] });
    const [cheap = '', other = ''] = event.types;
    const one = [{ ticketTypeId: cheap, quantity: 1 }];
    expect(await expectRejected(app, event.id, one)).toMatchObject({
      code: 'VALIDATION',
      reason: 'BELOW_MINIMUM_CHARGE',
      minimum: { amount: 50, currency: 'EUR' },
    });
    const reduced = [{ ticketTypeId: other, quantity: 1 }];
    expect(
      await expectRejected(app, event.id, reduced, { discountCode: await makeCode(60) }),
    ).toMatchObject({ reason: 'BELOW_MINIMUM_CHARGE' });
    const { reservedCount } = await app.ctx.db.event.findUniqueOrThrow({ where: { id: event.id } });
    expect(reservedCount).toBe(0);
    await placeOrder(app, event.id, [{ ticketTypeId: cheap, quantity: 2 }]);
    await placeOrder(app, event.id, reduced, { discount_code: await makeCode(100) });
  });

  it('is rejected before it holds day passes, with amounts that are too fine', async () => {
    const passes = createDayPassActions(app);
    const columns = { priceAmount: 5_000, priceCurrency: 'KWD' };
    const { id } = await passes.makeType(columns);
    const discountCode = await makeCode(1); // 4.950
    expect((await passes.order(id, { discountCode })).status).toBe(201);
    const fine = await passes.makeType({ ...columns, priceAmount: 5_005 });
    expect(await passes.expectRejected(fine.id)).toBe('AMOUNT_NOT_CHARGEABLE');
    expect(await passes.countReserved(fine.id)).toEqual([]);
  });

  it('is not, if only its discount had too many digits', async () => {
    const types = [{ priceAmount: 5_010, priceCurrency: 'KWD' }];
    const event = await makeEvent(app, { types });
    const items = [{ ticketTypeId: event.type, quantity: 3 }];
    const { id } = await placeOrder(app, event.id, items, { discount_code: await makeCode(7) });
    const order = await app.ctx.db.order.findUniqueOrThrow({
      where: { id },
      include: { tickets: true },
    });
    for (const amount of [order.totalAmount, ...order.tickets.map((ticket) => ticket.amount)])
      expect(amount % 10).toBe(0);
  });
});

it('a refund that the provider cannot return is rejected before it cancels tickets', async () => {
  const { id } = await makeOrder(app, 'stripe', { currency: 'KWD', totalAmount: 5_000 });
  const amount = { amount: 5_000, currency: 'KWD' };
  const payment = { provider: 'stripe', ref: `pi_${id}`, amount, ...PAID_ONLINE } as const;
  await applyPayment(app.ctx, { orderId: id, ...payment });
  const refund = (amount: number) => refundOrder(app.app.systemContext, { orderId: id, amount });
  await expect(refund(505)).rejects.toMatchObject({
    details: { reason: 'AMOUNT_NOT_CHARGEABLE' },
  });
  expect((await refund(510)).refunded).toEqual({ amount: 510, currency: 'KWD' });
});

describe('a price that the provider cannot charge', () => {
  const price = { amount: 5_005, currency: 'KWD' };
  const change = async (field: string, type: string, input: object) => {
    const { errors } = await app.graphql(
      `mutation ($input: ${type}!) { ${field}(input: $input) { __typename } }`,
      { input },
      { cookie },
    );
    return errors[0]?.extensions;
  };

  it('is rejected when staff enter it', async () => {
    const event = await makeEvent(app, { types: [{ priceCurrency: 'KWD', priceAmount: 5_000 }] });
    const pass = await createDayPassActions(app).makeType();
    const type = { eventId: event.id, name: 'Late', quantity: 5 };
    const locationId = pass.location.id;
    const rejected = { reason: 'AMOUNT_NOT_CHARGEABLE', step: { amount: 10, currency: 'KWD' } };
    const attempts = [
      ['createTicketType', 'CreateTicketTypeInput', type],
      ['updateTicketType', 'UpdateTicketTypeInput', { id: event.type }],
      ['createDayPassType', 'CreateDayPassTypeInput', { locationId, name: 'Day' }],
      ['updateDayPassType', 'UpdateDayPassTypeInput', { id: pass.id }],
    ] as const;
    for (const [field, input, rest] of attempts) {
      expect(await change(field, input, { ...rest, price })).toMatchObject(rejected);
      expect(await change(field, input, { ...rest, price: { ...price, amount: 5_010 } })).toBe(
        undefined,
      );
    }
  });
});

describe('a payment that the provider refuses', () => {
  const readPayments = async () => {
    const { data } = await app.graphql(
      '{ systemStatus { problems { code message } payments { rejection } } }',
      {},
      { cookie },
    );
    const { problems, payments } = data.systemStatus;
    return {
      rejection: payments.rejection as string | null,
      problem: problems.find(({ code }: { code: string }) => code === 'PAYMENTS_REJECTED'),
    };
  };
  const passSeconds = () => {
    app.clock.now = new Date(app.clock.now.getTime() + 5_000);
  };
  const closed = { type: 'invalid_request_error', message: 'This account is closed.' };

  it.each([
    ['an unknown currency', { currency: 'ZWL' }, 200, 'Invalid currency: zwl'],
    ['an amount below the minimum', { totalAmount: 49 }, 200, 'at least the minimum charge'],
    ['a closed account', {}, 403, 'This account is closed.'],
  ] as const)(
    'because of %s is explained to the buyer, and shown to staff until one succeeds',
    async (_, columns, rejectionStatus, message) => {
      passSeconds();
      const { secret, code } = await makeOrder(app, 'stripe', columns);
      if (rejectionStatus !== 200)
        Object.assign(stripe.state, { rejection: closed, rejectionStatus });
      const page = await fetchPage(app, `/pay/${secret}`);
      expect([page.status, page.headers.get('retry-after')]).toEqual([409, null]);
      expect(page.text).toContain('This order cannot be paid online');
      expect(page.text).toContain('You have not been charged');
      await waitUntil(async () => (await readPayments()).problem !== undefined, 'it is shown');
      const { rejection, problem } = await readPayments();
      expect(rejection).toContain(message);
      expect(problem.message).toContain(`${rejection}`);
      expect(rejection).toContain(code);

      stripe.reset();
      passSeconds();
      expect((await fetchPage(app, `/pay/${(await makeOrder(app, 'stripe')).secret}`)).status).toBe(
        303,
      );
      await waitUntil(async () => (await readPayments()).problem === undefined, 'it is solved');
      expect((await readPayments()).rejection).toBeNull();
    },
  );
});

describe('the offers of a waiting list', () => {
  it('are for as many tickets as the provider charges together, and hide nobody behind those it does not', async () => {
    const waitlist = createWaitlistActions(app);
    const { id: eventId, type } = await makeEvent(app, {
      types: [{ priceAmount: 30, quantity: 5 }],
    });
    const all = await placeOrder(app, eventId, [{ ticketTypeId: type, quantity: 5 }]);
    const alone = await waitlist.join(type);
    expect(alone.errors[0]?.extensions).toMatchObject({
      reason: 'BELOW_MINIMUM_CHARGE',
      minimum: { amount: 50, currency: 'EUR' },
    });
    // Joined while the tickets cost more, and are the only ones that a batch would read.
    const { db } = app.ctx;
    await db.ticketType.update({ where: { id: type }, data: { priceAmount: 5_000 } });
    const early = [];
    for (let n = 0; n < 3; n += 1) early.push(await waitlist.addPerson(type));
    await db.ticketType.update({ where: { id: type }, data: { priceAmount: 30 } });
    const pairs = [];
    for (let n = 0; n < 3; n += 1) pairs.push(await waitlist.addPerson(type, 2));
    await db.$executeRaw`UPDATE events SET offers_pending = true WHERE id = ${eventId}::uuid`;
    await app.graphql(
      'mutation ($secret: String!) { cancelOrder(input: { secret: $secret }) { order { id } } }',
      { secret: all.secret },
    );
    while (
      await runInTransaction(app.app.systemContext, (tx) =>
        offerBatch(tx, eventId, { offers: 2, tickets: 9 }),
      )
    );
    for (const person of early) expect(await waitlist.getStatus(person)).toBe('waiting');
    const offers = await db.order.findMany({ where: { eventId, status: 'pending' } });
    expect(offers.map(({ totalAmount }) => totalAmount)).toEqual([60, 60]);
    const statuses = [];
    for (const person of pairs) statuses.push(await waitlist.getStatus(person));
    expect(statuses).toEqual(['offered', 'offered', 'waiting']); // one ticket is left
    expect(await offerAvailableTickets(app.app.systemContext)).toBe(0);
  });
});
