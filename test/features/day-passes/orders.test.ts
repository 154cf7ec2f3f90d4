import { expireOrders } from '../../../src/features/orders/stock.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { dayPassesOf, FRIDAY, holders, THURSDAY } from '../../support/day-passes.ts';
import {
  at,
  BUYER,
  cancel,
  cancelByGraphql,
  mailsTo,
  pay,
  portal,
  reasons,
  somebody,
} from '../../support/events.ts';

let app: TestApp;
let passes: ReturnType<typeof dayPassesOf>;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  passes = dayPassesOf(app);
});
afterAll(() => app.stop());

describe('ordering day passes', () => {
  it('holds passes until they are paid, with a holder each', async () => {
    const type = await passes.makeType();
    const buyer = somebody();
    const created = await passes.placed(type.id, {
      buyer,
      holders: [{ name: 'Ole' }, { name: 'Ida', email: 'IDA@example.org' }],
    });
    expect(created).toMatchObject({
      status: 'pending',
      event: null,
      total: { amount: 3_000 },
      items: [
        { day_pass_type: { id: type.id }, ticket_type: null, valid_on: THURSDAY, quantity: 2 },
      ],
      day_passes: [],
      tickets: [],
    });
    expect(await passes.takenOf(type.id)).toEqual([2]);
    expect(await pay(app, created, 3_000)).toBe('confirmed');
    const paid = await portal(app, created.secret);
    expect(paid).toMatchObject({
      status: 'paid',
      may: { cancel: true, refund_until: '2026-03-18T23:00:00.000Z' },
      day_passes: [
        { status: 'valid', valid_on: THURSDAY, holder: { name: 'Ole', email: null } },
        { status: 'valid', holder: { name: 'Ida', email: 'ida@example.org' } },
      ],
    });
    const [mail] = await mailsTo(app, buyer.email);
    expect(mail?.text).toContain(`Flex, ${THURSDAY}, House`);
    for (const { code } of paid.day_passes) expect(mail?.text).toContain(code);
  });

  it('uses the buyer by default, and confirms free passes at once', async () => {
    const type = await passes.makeType({ priceAmount: 0, dailyCapacity: null });
    const { data } = await passes.askByGraphql(type.id, {});
    expect(data.orderDayPasses).toMatchObject({
      status: 'PAID',
      payment: null,
      dayPasses: [{ status: 'VALID', validOn: THURSDAY, holder: BUYER }],
    });
    expect((await passes.ask(type.id, { holders: [] })).status).toBe(422);
    expect(await passes.takenOf(type.id)).toEqual([1]);
  });

  it('counts passes by type and date, and rejects sold-out dates', async () => {
    const type = await passes.makeType();
    await passes.bought(type.id);
    expect(await passes.refusal(type.id, { holders: holders(2) })).toBe('SOLD_OUT');
    await passes.placed(type.id);
    expect(await passes.refusal(type.id)).toBe('SOLD_OUT');
    await passes.placed(type.id, { validOn: FRIDAY, holders: holders(2) });
    expect(await passes.takenOf(type.id)).toEqual([2, 2]);
    const other = await passes.makeType();
    expect((await passes.ask(other.id)).status).toBe(201);
  });

  it('sells expired holds again', async () => {
    const type = await passes.makeType({ dailyCapacity: 1 });
    const first = await passes.placed(type.id);
    await at(app, '2026-03-18T09:44:59.999Z', async () =>
      expect(await passes.refusal(type.id)).toBe('SOLD_OUT'),
    );
    await at(app, '2026-03-18T09:45:00Z', async () => {
      await passes.placed(type.id);
      expect(await pay(app, first, 1_500)).toBe('returned');
    });
    await at(app, '2026-03-18T11:00:00Z', async () => {
      await expireOrders(app.ctx);
      expect(await passes.takenOf(type.id)).toEqual([0]);
      expect(await pay(app, first, 1_500, { ref: `again-${first.id}` })).toBe('confirmed');
    });
    expect(await passes.takenOf(type.id)).toEqual([1]);
  });

  it('refunds a payment that arrives after the day', async () => {
    const type = await passes.makeType();
    const created = await passes.placed(type.id);
    await at(app, '2026-03-19T22:59:59Z', () => expireOrders(app.ctx));
    expect(await at(app, '2026-03-19T23:00:00Z', () => pay(app, created, 1_500))).toBe('returned');
    expect(await passes.takenOf(type.id)).toEqual([0]);
  });
});

describe('a buyer of day passes', () => {
  it.each([1_500, 0])(
    'can cancel passes that cost %d until the day begins at the location',
    async (priceAmount) => {
      const type = await passes.makeType({ priceAmount });
      const [first, second] = [await passes.bought(type.id), await passes.bought(type.id)];
      await at(app, '2026-03-18T22:59:59.999Z', () => cancel(app, first.secret));
      expect(await portal(app, first.secret)).toMatchObject({
        status: 'cancelled',
        refunded_amount: { amount: priceAmount },
        day_passes: [{ status: 'cancelled' }],
      });
      expect(await passes.takenOf(type.id)).toEqual([1]);
      await at(app, '2026-03-18T23:00:00Z', async () => {
        expect((await portal(app, second.secret)).may.cancel).toBe(false);
        expect(reasons(await cancelByGraphql(app, second.secret))).toEqual(['STARTED']);
      });
      expect(await passes.takenOf(type.id)).toEqual([1]);
    },
  );

  it('can transfer a pass until then', async () => {
    const type = await passes.makeType();
    const { secret, day_passes } = await passes.bought(type.id);
    const friend = somebody('Ida');
    const hand = () =>
      app.graphql(
        `mutation ($secret: String!, $id: ID!, $attendee: PersonInput!) {
          transferTicket(secret: $secret, ticketId: $id, attendee: $attendee) { dayPasses { code holder { name } } } }`,
        { secret, id: day_passes[0].id, attendee: friend },
      );
    const { data } = await hand();
    const [pass] = data.transferTicket.dayPasses;
    expect(pass).toMatchObject({ holder: { name: 'Ida' } });
    expect(pass.code).not.toBe(day_passes[0].code);
    expect((await mailsTo(app, friend.email))[0]?.text).toContain(pass.code);
    expect(reasons(await at(app, '2026-03-18T23:00:00Z', hand))).toEqual(['OVER']);
  });
});
