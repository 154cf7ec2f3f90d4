import { normalizeEmail } from '../../../src/features/orders/limits/seat-limits.ts';
import { expireOrders } from '../../../src/features/orders/service/expire-orders.ts';
import { purgeSeatUsages } from '../../../src/features/orders/service/purge-seat-usages.ts';
import {
  createSeatRequests,
  DEFAULTS,
  HOUR_MS,
  times,
} from '../../support/clients/seat-requests.ts';
import {
  atTime,
  makeBuyer,
  makeEvent,
  ORDER_FIELDS,
  payOrder,
} from '../../support/factories/events.ts';
import { makeMember } from '../../support/factories/people.ts';
import { makeSpace } from '../../support/factories/space.ts';
import { SANDBOX, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ config: { ...SANDBOX, TRUST_PROXY: '1' } });
});
afterAll(() => app.stop());

const { newAddress, send, orderFrom, graphqlFrom } = createSeatRequests(() => app);

const PLACE = `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { ${ORDER_FIELDS} } } }`;

const makeInput = (event: { id: string; type: string }, quantity: number, email?: string) => ({
  eventId: event.id,
  buyer: { ...makeBuyer(), ...(email ? { email } : {}) },
  items: [{ ticketTypeId: event.type, quantity }],
});

/** Runs the attempts one after the other and returns how many succeeded. */
async function countPlaced(attempts: Iterable<() => Promise<{ status: number }>>) {
  let placed = 0;
  for (const attempt of attempts) if ((await attempt()).status === 201) placed += 1;
  return placed;
}
describe('the limit on unpaid and free seats', () => {
  it('leaves half of the last 13 seats to others', async () => {
    const event = await makeEvent(app, { ...DEFAULTS, capacity: 120, types: [{ quantity: 13 }] });
    const address = newAddress();
    const tooMany = await orderFrom(address, event, 10);
    expect([tooMany.status, tooMany.body.data]).toEqual([
      422,
      expect.stringMatching(/^For now you can reserve at most 7 more\. .* Choose 7 or fewer,/),
    ]);
    const { status, body } = await orderFrom(address, event, 7);
    expect(status).toBe(201);
    const again = await graphqlFrom(address, PLACE, makeInput(event, 1));
    expect(again.errors[0].extensions).toMatchObject({
      code: 'CONFLICT',
      reason: 'SEAT_LIMIT_REACHED',
      maxQuantity: 0,
      retryAt: new Date(app.clock.now.getTime() + 24 * HOUR_MS).toISOString(),
    });
    // Once they are paid, half of the rest can be held.
    const { order } = body.data as { order: { id: string; total: { amount: number } } };
    expect(await payOrder(app, order, order.total.amount)).toBe('confirmed');
    expect((await orderFrom(address, event, 4)).status).toBe(422);
    expect((await orderFrom(address, event, 3)).status).toBe(201);
  });

  it('leaves half in each network, so several networks never take all seats', async () => {
    const event = await makeEvent(app, { ...DEFAULTS, types: [{ quantity: 60, maxPerOrder: 10 }] });
    for (const network of times(4, newAddress)) {
      const attempts = times(12, (n) => () => {
        const address = network.replace(/1$/, `${n + 1}`);
        return orderFrom(address, event, n < 4 ? 10 : n < 8 ? 5 : 1);
      });
      await countPlaced(attempts);
    }
    const { reservedCount } = await app.ctx.db.event.findUniqueOrThrow({ where: { id: event.id } });
    expect(60 - reservedCount).toBeGreaterThanOrEqual(3);
    expect((await orderFrom(newAddress(), event, 2)).status).toBe(201);
  });

  it('applies to the scarcest ticket type of an order', async () => {
    const event = await makeEvent(app, {
      ...DEFAULTS,
      types: [{ quantity: 13 }, { quantity: 1_000 }],
    });
    const [scarce, other] = event.types.map((ticket_type_id, n) => ({
      ticket_type_id,
      quantity: n === 0 ? 10 : 1,
    }));
    const mixed = { buyer: makeBuyer(), items: [scarce, other] };
    expect((await send(`/public/events/${event.id}/orders`, newAddress(), mixed)).status).toBe(422);
  });

  it('applies to each email address, however it is written', async () => {
    const event = await makeEvent(app, { maxSeatsPerEmail: 3 });
    const variants = [
      'max@gmail.com',
      'Max+1@gmail.com',
      'm.a.x@googlemail.com',
      'max+2@gmail.com',
    ];
    const attempts = variants.map((email) => () => orderFrom(newAddress(), event, 1, email));
    expect(await countPlaced(attempts)).toBe(3);
    expect(normalizeEmail('A.B+c@Example.org')).toBe('a.b@example.org');
  });

  it.each<[string, object, (n: number) => string, number]>([
    ['per IPv4 address', { maxSeatsPerAddress: 2 }, () => '198.51.100.7', 2],
    ['per IPv6 /64', { maxSeatsPerAddress: 2 }, (n) => `2001:db8:0:1::${n + 1}`, 2],
    ['per IPv6 /48', { maxSeatsPerNetwork: 2 }, (n) => `2001:db8:1:${n + 1}::1`, 2],
    ['more loosely per IPv4 /24', { maxSeatsPerNetwork: 2 }, (n) => `198.51.101.${n + 1}`, 6],
    ['not across networks', { maxSeatsPerNetwork: 2 }, (n) => `198.51.${n + 102}.1`, 8],
  ])('are limited %s', async (_, limits, addressOf, expected) => {
    const event = await makeEvent(app, limits);
    const attempts = times(8, (n) => () => orderFrom(addressOf(n), event));
    expect(await countPlaced(attempts)).toBe(expected);
  });

  it('does not count paid seats: a school class can buy from one address', async () => {
    const event = await makeEvent(app, { ...DEFAULTS, capacity: 60, types: [{ quantity: 60 }] });
    const address = newAddress();
    for (const _ of times(30, () => null)) {
      const { status, body } = await orderFrom(address, event, 2);
      expect([status, body.success]).toEqual([201, true]);
      const { order } = body.data as { order: { id: string; total: { amount: number } } };
      expect(await payOrder(app, order, order.total.amount)).toBe('confirmed');
    }
  });

  it('counts expired holds until the window ends', async () => {
    const event = await makeEvent(app, { maxSeatsPerAddress: 2, limitWindowHours: 6 });
    const address = newAddress();
    expect((await orderFrom(address, event, 2)).status).toBe(201);
    const soon = new Date(app.clock.now.getTime() + HOUR_MS);
    const afterWindow = new Date(app.clock.now.getTime() + 6 * HOUR_MS);
    await atTime(app, soon, async () => {
      await expireOrders(app.ctx);
      expect((await orderFrom(address, event)).status).toBe(422);
    });
    await atTime(app, afterWindow, async () => {
      expect((await orderFrom(address, event, 2)).status).toBe(201);
      expect((await orderFrom(address, event, 1)).status).toBe(422);
    });
  });

  it('judges an order by the seats that an overdue hold has returned', async () => {
    const event = await makeEvent(app, { ...DEFAULTS, types: [{ quantity: 10 }] });
    const address = newAddress();
    expect((await orderFrom(address, event, 5)).status).toBe(201);
    expect((await orderFrom(address, event, 2)).status).toBe(422);
    const overdue = new Date(app.clock.now.getTime() + HOUR_MS);
    expect((await atTime(app, overdue, () => orderFrom(address, event, 2))).status).toBe(201);
  });

  it('does not count rejected orders', async () => {
    const event = await makeEvent(app, { maxSeatsPerEmail: 2, maxSeatsPerAddress: 2 });
    const address = newAddress();
    const { email } = makeBuyer();
    expect((await orderFrom(address, event, 2)).status).toBe(201);
    // The IP address has reached its limit; the email address has no orders yet.
    for (const _ of times(3, () => null))
      expect((await orderFrom(address, event, 1, email)).status).toBe(422);
    expect((await orderFrom(newAddress(), event, 2, email)).status).toBe(201);
  });

  it('exempts staff and tokens, and counts members only by themselves', async () => {
    const event = await makeEvent(app, { maxSeatsPerEmail: 2, maxSeatsPerAddress: 2 });
    const address = newAddress();
    const token = await app.token('orders:write');
    const asProgram = () =>
      graphqlFrom(address, PLACE, makeInput(event, 2), { authorization: `Bearer ${token}` });
    expect([(await asProgram()).reasons, (await asProgram()).reasons]).toEqual([[], []]);
    expect((await orderFrom(address, event, 2)).status).toBe(201);
    const { cookie = '' } = await (await makeMember(app)).signedIn();
    const asMember = (quantity: number) =>
      graphqlFrom(address, PLACE, makeInput(event, quantity), {
        cookie,
        origin: 'http://foyer.test',
      });
    expect((await asMember(2)).reasons).toEqual([]);
    expect((await asMember(1)).reasons).toEqual(['SEAT_LIMIT_REACHED']);
  });

  it('applies to day passes by type and date', async () => {
    const { location } = await makeSpace(app);
    const type = await app.ctx.db.dayPassType.create({
      data: { name: 'Flex', priceAmount: 900, maxSeatsPerAddress: 2, locationId: location.id },
    });
    const address = newAddress();
    const passesFrom = (validOn: string, count: number) =>
      send('/public/day-passes/orders', address, {
        buyer: makeBuyer(),
        day_pass_type_id: type.id,
        valid_on: validOn,
        holders: times(count, (n) => ({ name: `Holder ${n}` })),
      });
    expect((await passesFrom('2026-03-19', 2)).status).toBe(201);
    expect(await passesFrom('2026-03-19', 1)).toMatchObject({
      status: 422,
      body: { data: expect.stringContaining('Unpaid and free seats') },
    });
    expect((await passesFrom('2026-03-20', 2)).status).toBe(201);
  });

  it('deletes hashed addresses after the window, but not before the order has ended', async () => {
    const event = await makeEvent(app);
    expect((await orderFrom(newAddress(), event)).status).toBe(201);
    const countKeys = () =>
      app.ctx.db.order.count({ where: { eventId: event.id, seatKeys: { isEmpty: false } } });
    await atTime(app, new Date(app.clock.now.getTime() + 9 * 24 * HOUR_MS), async () => {
      await purgeSeatUsages(app.ctx);
      expect([await app.ctx.db.seatUsage.count(), await countKeys()]).toEqual([0, 1]);
      await expireOrders(app.ctx);
      await purgeSeatUsages(app.ctx);
      expect(await countKeys()).toBe(0);
    });
  });
});
