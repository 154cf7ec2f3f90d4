import { expireOrders } from '../../../src/features/orders/service/expire-orders.ts';
import {
  createSeatRequests,
  DEFAULTS,
  HOUR_MS,
  times,
} from '../../support/clients/seat-requests.ts';
import {
  atTime,
  cancelOrder,
  fetchOrder,
  findEmails,
  makeBuyer,
  makeEvent,
  payOrder,
} from '../../support/factories/events.ts';
import { createWaitlistActions } from '../../support/factories/waitlist.ts';
import { SANDBOX, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ config: { ...SANDBOX, TRUST_PROXY: '1' } });
});
afterAll(() => app.stop());

const { newAddress, orderFrom, graphqlFrom } = createSeatRequests(() => app);

const JOIN = 'mutation ($input: JoinWaitlistInput!) { joinWaitlist(input: $input) { quantity } }';

const getSecret = ({ body }: { body: { data: unknown } }) =>
  (body.data as { order: { secret: string } }).order.secret;

describe('the limit on seats in a waiting list', () => {
  beforeEach(() => app.ctx.db.seatUsage.deleteMany());
  const soldOutEvent = async (more: object = {}, quantity = 4) => {
    const event = await makeEvent(app, { types: [{ quantity }], ...more });
    expect((await orderFrom(newAddress(), event, quantity)).status).toBe(201);
    return event;
  };
  const join = (address: string, event: { type: string }, quantity: number, person = makeBuyer()) =>
    graphqlFrom(address, JOIN, { ticketTypeId: event.type, quantity, ...person });

  it('counts the requested seats together with held ones', async () => {
    const event = await makeEvent(app, { maxSeatsPerAddress: 5, types: [{ quantity: 4 }] });
    const address = newAddress();
    expect((await orderFrom(address, event, 4)).status).toBe(201);
    expect((await join(address, event, 2)).reasons).toEqual(['SEAT_LIMIT_REACHED']);
    const person = makeBuyer();
    expect((await join(address, event, 1, person)).reasons).toEqual([]);
    expect((await join(newAddress(), event, 2)).reasons).toEqual([]);
  });

  it('counts a person who is already waiting only once', async () => {
    const event = await soldOutEvent({ maxSeatsPerAddress: 3 }, 3);
    const [address, person] = [newAddress(), makeBuyer()];
    for (const _ of times(3, () => null))
      expect((await join(address, event, 1, person)).reasons).toEqual([]);
    expect((await join(address, event, 2)).reasons).toEqual([]);
  });

  it('does not reveal to a stranger that an address is waiting or has reserved seats', async () => {
    const event = await makeEvent(app, {
      maxSeatsPerEmail: 2,
      maxSeatsPerAddress: 3,
      types: [{ quantity: 6 }, { quantity: null }],
    });
    for (const _ of times(3, () => null))
      expect((await orderFrom(newAddress(), event, 2)).status).toBe(201);
    const [waiting, buyer] = [makeBuyer(), makeBuyer()];
    expect((await join(newAddress(), event, 2, waiting)).reasons).toEqual([]);
    const other = { id: event.id, type: event.types[1] ?? '' };
    expect((await orderFrom(newAddress(), other, 2, buyer.email)).status).toBe(201);
    const countRows = async () => [
      await app.ctx.db.waitlistEntry.count(),
      await app.ctx.db.seatUsage.aggregate({ _count: true, _sum: { seats: true } }),
    ];
    const before = await countRows();
    for (const person of [waiting, buyer]) {
      const { data, reasons } = await join(newAddress(), event, 2, person);
      expect([data?.joinWaitlist, reasons]).toEqual([{ quantity: 2 }, []]);
      expect(await countRows()).toEqual(before);
      expect(await findEmails(app, person.email)).toHaveLength(person === waiting ? 1 : 0);
    }
    // The size of the request and the visitor's own seats are judged alike for all addresses.
    for (const [address, maxQuantity] of [[newAddress(), 2] as const, [newAddress(), 1] as const]) {
      if (maxQuantity === 1)
        for (const _ of [1, 2]) expect((await join(address, event, 1)).reasons).toEqual([]);
      for (const person of [waiting, buyer, makeBuyer()]) {
        const { errors } = await join(address, event, 3, person);
        expect(errors[0]?.extensions).toMatchObject({
          reason: 'SEAT_LIMIT_REACHED',
          maxQuantity,
        });
      }
    }
  });

  it('returns the seats of an entry to the visitor who requested them last', async () => {
    const list = createWaitlistActions(app);
    const event = await makeEvent(app, { types: [{ quantity: 6 }] });
    const held = await orderFrom(newAddress(), event, 6);
    const [first, second, person] = [newAddress(), newAddress(), makeBuyer()];
    expect((await join(first, event, 1, person)).reasons).toEqual([]);
    expect((await join(first, event, 3)).reasons).toEqual([]);
    const change = async (quantity: number) =>
      graphqlFrom(
        second,
        'mutation ($input: ChangeWaitlistEntryInput!) { changeWaitlistEntry(input: $input) { waitlistEntry { quantity } } }',
        { secret: await list.findEntrySecret(person), quantity },
      );
    const countSeats = async (kind: 'email' | 'address' | 'network') => {
      const rows = await app.ctx.db.seatUsage.findMany({ where: { kind } });
      return rows.map(({ seats }) => seats).sort();
    };
    await app.ctx.db.seatUsage.deleteMany({ where: { seats: 6 } });
    for (const quantity of [2, 3]) expect((await change(quantity)).errors).toEqual([]);
    expect(await countSeats('email')).toEqual([3, 3]);
    expect(await countSeats('address')).toEqual([3, 3]);
    await cancelOrder(app, getSecret(held));
    const offer = await fetchOrder(app, (await list.findOfferSecret(person)) ?? '');
    expect(await payOrder(app, offer, 3_000)).toBe('confirmed');
    for (const kind of ['email', 'address', 'network'] as const)
      expect((await countSeats(kind)).filter((seats) => seats > 0)).toEqual([3]);
  });

  it('emails a link to an address that has reserved its seats at most once a day', async () => {
    const event = await soldOutEvent({ limitWindowHours: 48, maxSeatsPerEmail: 4 });
    const person = makeBuyer();
    const joinAfter = async (hours: number) => {
      const at = new Date(app.clock.now.getTime() + hours * HOUR_MS);
      const { reasons } = await atTime(app, at, () => join(newAddress(), event, 2, person));
      expect(reasons).toEqual([]);
      return (await findEmails(app, person.email)).length;
    };
    expect(await joinAfter(0)).toBe(1);
    await app.ctx.db.event.update({ where: { id: event.id }, data: { maxSeatsPerEmail: 2 } });
    expect([await joinAfter(23), await joinAfter(24), await joinAfter(25)]).toEqual([1, 2, 2]);
  });

  it('does not offer released tickets to those who let the hold expire', async () => {
    const { getStatus } = createWaitlistActions(app);
    const event = await makeEvent(app, { ...DEFAULTS, types: [{ quantity: 13 }] });
    const address = newAddress();
    expect((await orderFrom(address, event, 6)).status).toBe(201);
    expect((await orderFrom(newAddress(), event, 4)).status).toBe(201);
    expect((await orderFrom(newAddress(), event, 2)).status).toBe(201);
    expect((await orderFrom(newAddress(), event, 1)).status).toBe(201);
    const [attacker, other] = [makeBuyer(), makeBuyer()];
    expect((await join(address, event, 1, attacker)).reasons).toEqual([]);
    expect((await join(newAddress(), event, 2, other)).reasons).toEqual([]);
    await atTime(app, new Date(app.clock.now.getTime() + HOUR_MS), () => expireOrders(app.ctx));
    expect([await getStatus(attacker), await getStatus(other)]).toEqual(['waiting', 'offered']);
  });

  it('does not offer released tickets to those who cancelled a hold before anyone waited', async () => {
    const { getStatus } = createWaitlistActions(app);
    const event = await makeEvent(app, { ...DEFAULTS, types: [{ quantity: 13 }] });
    const address = newAddress();
    await cancelOrder(app, getSecret(await orderFrom(address, event, 6)));
    expect((await orderFrom(newAddress(), event, 7)).status).toBe(201);
    const secret = getSecret(await orderFrom(newAddress(), event, 3));
    for (const quantity of [2, 1])
      expect((await orderFrom(newAddress(), event, quantity)).status).toBe(201);
    const [attacker, other] = [makeBuyer(), makeBuyer()];
    expect((await join(address, event, 1, attacker)).reasons).toEqual([]);
    expect((await join(newAddress(), event, 1, other)).reasons).toEqual([]);
    await cancelOrder(app, secret);
    expect([await getStatus(attacker), await getStatus(other)]).toEqual(['waiting', 'offered']);
  });

  it('still offers to a person after a stranger used the email address', async () => {
    const { getStatus } = createWaitlistActions(app);
    const event = await makeEvent(app, { types: [{ quantity: 4 }] });
    const victim = makeBuyer();
    expect((await orderFrom(newAddress(), event, 4, victim.email)).status).toBe(201);
    expect((await join(newAddress(), event, 2, victim)).reasons).toEqual([]);
    await atTime(app, new Date(app.clock.now.getTime() + HOUR_MS), () => expireOrders(app.ctx));
    expect(await getStatus(victim)).toBe('offered');
  });

  it('gives one address half of a small type if another type is unlimited', async () => {
    const event = await makeEvent(app, {
      ...DEFAULTS,
      types: [{ quantity: 13 }, { quantity: null }],
    });
    for (const quantity of [7, 3, 2, 1])
      expect((await orderFrom(newAddress(), event, quantity)).status).toBe(201);
    const address = newAddress();
    expect((await join(address, event, 7)).reasons).toEqual([]);
    expect((await join(address, event, 1)).reasons).toEqual(['SEAT_LIMIT_REACHED']);
  });
});
