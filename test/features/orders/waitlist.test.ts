import { v7 } from 'uuid';
import {
  atTime,
  buyTickets,
  cancelOrder,
  fetchOrder,
  findEmails,
  getReasons,
  makeBuyer,
  makeEvent,
  payOrder,
  placeOrder,
} from '../../support/factories/events.ts';
import { createWaitlistActions, makeSoldOutEvent } from '../../support/factories/waitlist.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let list: ReturnType<typeof createWaitlistActions>;
beforeAll(async () => {
  app = await startApp();
  list = createWaitlistActions(app);
});
afterAll(() => app.stop());

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];

describe('the waiting list', () => {
  it('accepts only types with fewer tickets than requested', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 2 }, { quantity: null }] });
    const [few = '', many = ''] = event.types;
    expect(getReasons(await list.join(few, makeBuyer(), 2))).toEqual(['STILL_AVAILABLE']);
    expect(getReasons(await list.join(many))).toEqual(['STILL_AVAILABLE']);
    await buyTickets(app, event.id, one(few));
    expect(getReasons(await list.join(few, makeBuyer(), 2))).toEqual(['STILL_AVAILABLE']);
    const together = { ...makeBuyer(), acceptsFewer: false };
    expect((await list.join(few, together, 2)).data.joinWaitlist).toEqual({
      ticketTypeId: few,
      quantity: 2,
    });
  });

  it.each<[max: number, capacity: number | null, quantity: number | null]>([
    [2, 4, null],
    [3, 5, 100],
    [3, 100, 6],
    [2, null, 3],
    [2, 2, null],
    [1, 1, null],
  ])(
    'takes at most %s tickets of a capacity of %s and a quantity of %s, whatever the limits are',
    async (max, capacity, quantity) => {
      const event = await makeEvent(app, {
        capacity,
        maxSeatsPerEmail: 100,
        maxSeatsPerAddress: 100,
        maxSeatsPerNetwork: 100,
        types: [{ quantity, maxPerOrder: 50 }],
      });
      for (let left = Math.min(capacity ?? 100, quantity ?? 100); left > 0; left -= 50)
        await buyTickets(app, event.id, one(event.type, Math.min(left, 50)));
      const staff = { token: await app.token('orders:write') };
      for (const as of [{}, staff]) {
        const { errors } = await list.join(event.type, makeBuyer(), max + 1, as);
        expect(errors[0]).toMatchObject({
          message: expect.stringMatching(`at most ${max} `),
          extensions: { code: 'VALIDATION', reason: 'TOO_MANY', perOrder: max },
        });
      }
      expect((await list.join(event.type, makeBuyer(), max)).errors).toEqual([]);
    },
  );

  it('rejects people who could not order the tickets', async () => {
    const closed = await makeSoldOutEvent(app, 1, { maxPerOrder: 2 });
    expect(getReasons(await list.join(closed.type, makeBuyer(), 3))).toEqual(['TOO_MANY']);
    await app.ctx.db.ticketType.update({
      where: { id: closed.type },
      data: { audience: 'members' },
    });
    expect(getReasons(await list.join(closed.type))).toEqual(['MEMBERS_ONLY']);
    expect(await atTime(app, '2026-03-25T21:00:00Z', () => list.join(closed.type))).toMatchObject({
      errors: [{ extensions: { reason: 'EVENT_OVER' } }],
    });
    expect((await list.join(v7())).codes).toEqual(['NOT_FOUND']);
    for (const wrong of [
      { name: '', email: 'a@example.org' },
      { name: 'A', email: 'a' },
    ])
      expect(getReasons(await list.join(closed.type, wrong))).toEqual(['INVALID_INPUT']);
    expect(getReasons(await list.join(closed.type, makeBuyer(), 0))).toEqual(['INVALID_INPUT']);
  });

  it('adds each email address once, in any case, and sends one email', async () => {
    const { type } = await makeSoldOutEvent(app);
    const person = await list.addPerson(type);
    const again = await list.join(type, { ...person, email: person.email.toUpperCase() });
    expect(again.data.joinWaitlist).toEqual({ ticketTypeId: type, quantity: 1 });
    expect(await app.ctx.db.waitlistEntry.count({ where: { email: person.email } })).toBe(1);
    expect(await findEmails(app, person.email)).toHaveLength(1);
  });

  it('is visible to staff only', async () => {
    const event = await makeSoldOutEvent(app);
    const person = await list.addPerson(event.type);
    const send = (as = {}) =>
      app.graphql(
        `query ($eventId: ID!) { waitlist(filter: { eventId: $eventId, status: WAITING }) {
          edges { node { email status quantity ticketTypeId eventId } } } }`,
        { eventId: event.id },
        as,
      );
    const { data } = await send({ token: await app.token('orders:read') });
    expect(data.waitlist.edges).toEqual([
      {
        node: {
          email: person.email,
          status: 'WAITING',
          quantity: 1,
          ticketTypeId: event.type,
          eventId: event.id,
        },
      },
    ]);
    expect((await send()).codes).toEqual(['UNAUTHENTICATED']);
  });
});

describe('leaving the waiting list', () => {
  it('prevents offers, can be repeated, and allows joining again', async () => {
    const event = await makeSoldOutEvent(app);
    const person = await list.addPerson(event.type);
    for (const _ of [1, 2]) expect((await list.leave(person)).errors).toEqual([]);
    await cancelOrder(app, event.secret);
    expect(await list.getStatus(person)).toBe('withdrawn');
    await placeOrder(app, event.id, one(event.type));
    expect((await list.join(event.type, person)).errors).toEqual([]);
  });

  it('lets the emailed link open the last entry of that day, also after it has ended', async () => {
    const event = await makeSoldOutEvent(app);
    const person = await list.addPerson(event.type);
    const secret = await list.findEntrySecret(person);
    await list.leave(person);
    app.clock.now = new Date(app.clock.now.getTime() + 1);
    await list.join(event.type, person);
    await cancelOrder(app, event.secret);
    const offer = await fetchOrder(app, (await list.findOfferSecret(person)) ?? '');
    expect((await list.see(secret)).data.waitlistEntry.status).toBe('OFFERED');
    await payOrder(app, offer, 1_000);
    expect((await list.see(secret)).data.waitlistEntry.status).toBe('ACCEPTED');
  });

  it('passes an open offer to the next person', async () => {
    const event = await makeSoldOutEvent(app);
    const [first, second] = [await list.addPerson(event.type), await list.addPerson(event.type)];
    await cancelOrder(app, event.secret);
    await list.leave(first);
    expect(await list.getStatuses([first, second])).toEqual(['withdrawn', 'offered']);
    expect(await fetchOrder(app, (await list.findOfferSecret(first)) ?? '')).toMatchObject({
      status: 'cancelled',
    });
  });

  it('keeps tickets that were bought', async () => {
    const event = await makeSoldOutEvent(app);
    const person = await list.addPerson(event.type);
    await cancelOrder(app, event.secret);
    const offer = await fetchOrder(app, (await list.findOfferSecret(person)) ?? '');
    await payOrder(app, offer, 1_000);
    await list.leave(person);
    expect(await list.getStatus(person)).toBe('accepted');
    expect(await fetchOrder(app, offer.secret)).toMatchObject({ status: 'paid' });
  });

  it('needs the secret in the email', async () => {
    const { errors } = await app.graphql(
      'mutation { leaveWaitlist(input: { secret: "x" }) { quantity } }',
    );
    expect(errors[0]?.extensions.code).toBe('NOT_FOUND');
  });
});
