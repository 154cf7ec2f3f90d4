import { expireOrders } from '../../../src/features/orders/service/expire-orders.ts';
import {
  createDayPassActions,
  FRIDAY,
  makeHolders,
  THURSDAY,
} from '../../support/factories/day-passes.ts';
import {
  atTime,
  BUYER,
  cancelOrder,
  cancelOrderByGraphql,
  fetchOrder,
  findEmails,
  getReasons,
  makeBuyer,
  payOrder,
} from '../../support/factories/events.ts';
import { SANDBOX, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let passes: ReturnType<typeof createDayPassActions>;
beforeAll(async () => {
  app = await startApp({ content: 'empty', config: SANDBOX });
  passes = createDayPassActions(app);
});
afterAll(() => app.stop());

describe('ordering day passes', () => {
  it('holds passes until they are paid, with a holder each', async () => {
    const type = await passes.makeType();
    const buyer = makeBuyer();
    const created = await passes.place(type.id, {
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
    expect(await passes.countReserved(type.id)).toEqual([2]);
    expect(await payOrder(app, created, 3_000)).toBe('confirmed');
    const paid = await fetchOrder(app, created.secret);
    expect(paid).toMatchObject({
      status: 'paid',
      may: { cancel: true, refund_until: '2026-03-18T23:00:00.000Z' },
      day_passes: [
        { status: 'valid', valid_on: THURSDAY, holder: { name: 'Ole', email: null } },
        { status: 'valid', holder: { name: 'Ida', email: 'ida@example.org' } },
      ],
    });
    const [mail] = await findEmails(app, buyer.email);
    const title = 'Flex, Thursday, 19 March 2026';
    expect(mail?.subject).toBe(`Your day passes: ${title}`);
    expect(mail?.text).toContain(
      `${title}.\n\nTime: Thursday, 19 March 2026, open 09:00 to 18:00\nPlace: House\n`,
    );
    expect(mail?.text).not.toMatch(/ticket/i);
    for (const { code } of paid.day_passes) expect(mail?.text).toContain(code);
  });

  it('uses the buyer by default, and confirms free passes immediately', async () => {
    const type = await passes.makeType({ priceAmount: 0, dailyCapacity: null });
    const { data } = await passes.orderByGraphql(type.id, {});
    expect(data.orderDayPasses.order).toMatchObject({
      status: 'PAID',
      payment: null,
      dayPasses: [{ status: 'VALID', validOn: THURSDAY, holder: BUYER }],
    });
    expect((await passes.order(type.id, { holders: [] })).status).toBe(422);
    expect(await passes.countReserved(type.id)).toEqual([1]);
  });

  it('counts passes by type and date, and rejects sold-out dates', async () => {
    const type = await passes.makeType();
    await passes.buy(type.id);
    expect(await passes.expectRejected(type.id, { holders: makeHolders(2) })).toBe('SOLD_OUT');
    await passes.place(type.id);
    expect(await passes.expectRejected(type.id)).toBe('SOLD_OUT');
    await passes.place(type.id, { validOn: FRIDAY, holders: makeHolders(2) });
    expect(await passes.countReserved(type.id)).toEqual([2, 2]);
    const other = await passes.makeType();
    expect((await passes.order(other.id)).status).toBe(201);
  });

  it('sells expired holds again', async () => {
    const type = await passes.makeType({ dailyCapacity: 1 });
    const first = await passes.place(type.id);
    await atTime(app, '2026-03-18T09:44:59.999Z', async () =>
      expect(await passes.expectRejected(type.id)).toBe('SOLD_OUT'),
    );
    await atTime(app, '2026-03-18T09:45:00Z', async () => {
      await passes.place(type.id);
      expect(await payOrder(app, first, 1_500)).toBe('returned');
    });
    await atTime(app, '2026-03-18T11:00:00Z', async () => {
      await expireOrders(app.ctx);
      expect(await passes.countReserved(type.id)).toEqual([0]);
      expect(await payOrder(app, first, 1_500, { ref: `again-${first.id}` })).toBe('confirmed');
    });
    expect(await passes.countReserved(type.id)).toEqual([1]);
  });

  it('refunds a payment that arrives after the day', async () => {
    const type = await passes.makeType();
    const created = await passes.place(type.id);
    await atTime(app, '2026-03-19T22:59:59Z', () => expireOrders(app.ctx));
    expect(await atTime(app, '2026-03-19T23:00:00Z', () => payOrder(app, created, 1_500))).toBe(
      'returned',
    );
    expect(await passes.countReserved(type.id)).toEqual([0]);
  });
});

describe('a buyer of day passes', () => {
  it.each([1_500, 0])(
    'can cancel passes that cost %d until the day begins at the location',
    async (priceAmount) => {
      const type = await passes.makeType({ priceAmount });
      const [first, second] = [await passes.buy(type.id), await passes.buy(type.id)];
      await atTime(app, '2026-03-18T22:59:59.999Z', () => cancelOrder(app, first.secret));
      expect(await fetchOrder(app, first.secret)).toMatchObject({
        status: 'cancelled',
        refunded_amount: { amount: priceAmount },
        day_passes: [{ status: 'cancelled' }],
      });
      expect(await passes.countReserved(type.id)).toEqual([1]);
      await atTime(app, '2026-03-18T23:00:00Z', async () => {
        expect((await fetchOrder(app, second.secret)).may.cancel).toBe(false);
        expect(getReasons(await cancelOrderByGraphql(app, second.secret))).toEqual(['STARTED']);
      });
      expect(await passes.countReserved(type.id)).toEqual([1]);
    },
  );

  it('can hand on a pass until its day ends at the location, and rename a used one', async () => {
    const type = await passes.makeType();
    const { secret, day_passes } = await passes.buy(type.id);
    const [{ id, code }] = day_passes;
    const change = (field: string, input: object) =>
      app.graphql(
        `mutation ($input: ${field[0]?.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { order { dayPasses { code holder { name } } } } }`,
        { input: { secret, ticketId: id, ...input } },
      );
    const rename = (name: string) => change('changeAttendee', { name });
    const transfer = () => change('transferTicket', { attendee: makeBuyer() });
    const canChange = async () => (await fetchOrder(app, secret)).may.change_attendees;
    await atTime(app, '2026-03-19T08:00:00Z', async () => {
      expect(await canChange()).toBe(true);
      const { data } = await transfer();
      expect(data.transferTicket.order.dayPasses[0].code).not.toBe(code);
    });
    const location = await app.ctx.db.dayPassType.findUniqueOrThrow({ where: { id: type.id } });
    await app.ctx.db.checkIn.create({
      data: {
        locationId: location.locationId,
        result: 'admitted',
        subject: 'day_pass',
        dayPassId: id,
        label: 'Nora Lind',
        actor: 'test',
        occurredAt: new Date('2026-03-19T09:00:00Z'),
        createdAt: new Date('2026-03-19T09:00:00Z'),
        autoCheckOutAt: new Date('2026-03-19T22:00:00Z'),
      },
    });
    await atTime(app, '2026-03-19T22:59:59.999Z', async () => {
      expect(await canChange()).toBe(true);
      expect(getReasons(await transfer())).toEqual(['ALREADY_USED']);
      expect((await rename('Ida')).data.changeAttendee.order.dayPasses[0].holder.name).toBe('Ida');
    });
    await atTime(app, '2026-03-19T23:00:00Z', async () => {
      expect(await canChange()).toBe(false);
      expect(getReasons(await transfer())).toEqual(['OVER']);
      expect(getReasons(await rename('Ole'))).toEqual(['OVER']);
    });
  });

  // In Havana, clocks go back from 01:00 to 00:00 on 1 November, so the day begins at the first of two midnights.
  it.each([
    ['America/Havana', '2026-10-31', '2026-10-31T04:00:00.000Z', '2026-11-01T04:00:00.000Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
  ])('has the day from midnight to midnight: %s, %s', async (zone, validOn, begins, ends) => {
    const type = await passes.makeType({}, zone);
    const hours = { locationId: type.location.id, opensMinute: 540, closesMinute: 1_080 };
    await app.ctx.db.openingHours.createMany({
      data: [6, 7].map((weekday) => ({ ...hours, weekday })),
    });
    const dayBefore = new Date(Date.parse(begins) - 24 * 3_600_000);
    const { id, secret } = await atTime(app, dayBefore, () => passes.buy(type.id, { validOn }));
    const fetchMayAt = (time: number) =>
      atTime(app, new Date(time), async () => (await fetchOrder(app, secret)).may);
    const end = Date.parse(ends);
    expect(await fetchMayAt(end - 1)).toMatchObject({
      refund_until: begins,
      change_attendees: true,
    });
    expect(await fetchMayAt(end)).toMatchObject({ change_attendees: false });
    const token = await app.token('orders:read');
    const { data } = await atTime(app, new Date(end), () =>
      app.graphql(
        'query ($id: ID!) { orderById(id: $id) { allowedActions { refundUntil changeAttendees } } }',
        { id },
        { token },
      ),
    );
    expect(data.orderById.allowedActions).toEqual({
      refundUntil: begins,
      changeAttendees: false,
    });
  });

  it('can transfer a pass, which is emailed to its holder', async () => {
    const type = await passes.makeType();
    const { secret, day_passes } = await passes.buy(type.id);
    const friend = makeBuyer('Ida');
    const { data } = await app.graphql(
      `mutation ($secret: String!, $id: ID!, $attendee: PersonInput!) {
          transferTicket(input: { secret: $secret, ticketId: $id, attendee: $attendee }) { order { dayPasses { code holder { name } } } } }`,
      { secret, id: day_passes[0].id, attendee: friend },
    );
    const [pass] = data.transferTicket.order.dayPasses;
    expect(pass).toMatchObject({ holder: { name: 'Ida' } });
    expect(pass.code).not.toBe(day_passes[0].code);
    const [mail] = await findEmails(app, friend.email);
    expect(mail?.subject).toBe('A day pass for you: Flex, Thursday, 19 March 2026');
    expect(mail?.text).toContain(pass.code);
    expect(mail?.text).toContain('View your day pass:');
    await cancelOrder(app, secret);
    expect((await findEmails(app, friend.email))[1]).toMatchObject({
      subject: 'Your day pass was cancelled: Flex, Thursday, 19 March 2026',
      text: expect.stringContaining('Your day pass for Flex, Thursday, 19 March 2026 is cancelled'),
    });
  });
});
