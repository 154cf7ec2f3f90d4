import { v7 } from 'uuid';
import { startApp, type TestApp } from '../../support/app.ts';
import {
  at,
  cancel,
  mailsTo,
  makeEvent,
  pay,
  placed,
  portal,
  reasons,
  somebody,
} from '../../support/events.ts';
import { soldOut, waitlistOf } from '../../support/waitlist.ts';

let app: TestApp;
let list: ReturnType<typeof waitlistOf>;
beforeAll(async () => {
  app = await startApp();
  list = waitlistOf(app);
});
afterAll(() => app.stop());

const one = (ticketTypeId: string, quantity = 1) => [{ ticketTypeId, quantity }];

describe('the waiting list', () => {
  it('accepts only types with fewer tickets than requested', async () => {
    const event = await makeEvent(app, { types: [{ quantity: 2 }, { quantity: null }] });
    const [few = '', many = ''] = event.types;
    expect(reasons(await list.join(few, somebody(), 2))).toEqual(['STILL_AVAILABLE']);
    expect(reasons(await list.join(many))).toEqual(['STILL_AVAILABLE']);
    expect((await list.join(few, somebody(), 3)).data.joinWaitlist).toEqual({
      ticketTypeId: few,
      quantity: 3,
    });
  });

  it('rejects people who could not order the tickets', async () => {
    const closed = await soldOut(app, 1, { maxPerOrder: 2 });
    expect(reasons(await list.join(closed.type, somebody(), 3))).toEqual(['TOO_MANY']);
    await app.ctx.db.ticketType.update({
      where: { id: closed.type },
      data: { audience: 'members' },
    });
    expect(reasons(await list.join(closed.type))).toEqual(['MEMBERS_ONLY']);
    expect(await at(app, '2026-03-25T21:00:00Z', () => list.join(closed.type))).toMatchObject({
      errors: [{ extensions: { reason: 'EVENT_OVER' } }],
    });
    expect((await list.join(v7())).codes).toEqual(['NOT_FOUND']);
    for (const wrong of [
      { name: '', email: 'a@example.org' },
      { name: 'A', email: 'a' },
    ])
      expect(reasons(await list.join(closed.type, wrong))).toEqual(['INVALID_INPUT']);
    expect(reasons(await list.join(closed.type, somebody(), 0))).toEqual(['INVALID_INPUT']);
  });

  it('adds each email address once, in any case, and sends one email', async () => {
    const { type } = await soldOut(app);
    const person = await list.waiting(type);
    const again = await list.join(type, { ...person, email: person.email.toUpperCase() });
    expect(again.data.joinWaitlist).toEqual({ ticketTypeId: type, quantity: 1 });
    expect(await app.ctx.db.waitlistEntry.count({ where: { email: person.email } })).toBe(1);
    expect(await mailsTo(app, person.email)).toHaveLength(1);
  });

  it('is visible to staff only', async () => {
    const event = await soldOut(app);
    const person = await list.waiting(event.type);
    const ask = (as = {}) =>
      app.graphql(
        `query ($eventId: ID!) { waitlist(filter: { eventId: $eventId, status: WAITING }) {
          edges { node { email status quantity ticketTypeId eventId } } } }`,
        { eventId: event.id },
        as,
      );
    const { data } = await ask({ token: await app.token('orders:read') });
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
    expect((await ask()).codes).toEqual(['UNAUTHENTICATED']);
  });
});

describe('leaving the waiting list', () => {
  it('prevents offers, can be repeated, and allows joining again', async () => {
    const event = await soldOut(app);
    const person = await list.waiting(event.type);
    for (const _ of [1, 2]) expect((await list.leave(person)).data.leaveWaitlist).toBe(true);
    await cancel(app, event.secret);
    expect(await list.statusOf(person)).toBe('withdrawn');
    await placed(app, event.id, one(event.type));
    expect((await list.join(event.type, person)).errors).toEqual([]);
  });

  it('passes an open offer to the next person', async () => {
    const event = await soldOut(app);
    const [first, second] = [await list.waiting(event.type), await list.waiting(event.type)];
    await cancel(app, event.secret);
    await list.leave(first);
    expect(await list.statuses([first, second])).toEqual(['withdrawn', 'offered']);
    expect(await portal(app, (await list.offerTo(first)) ?? '')).toMatchObject({
      status: 'cancelled',
    });
  });

  it('keeps tickets that were bought', async () => {
    const event = await soldOut(app);
    const person = await list.waiting(event.type);
    await cancel(app, event.secret);
    const offer = await portal(app, (await list.offerTo(person)) ?? '');
    await pay(app, offer, 1_000);
    await list.leave(person);
    expect(await list.statusOf(person)).toBe('accepted');
    expect(await portal(app, offer.secret)).toMatchObject({ status: 'paid' });
  });

  it('needs the secret in the email', async () => {
    const { errors } = await app.graphql('mutation { leaveWaitlist(secret: "x") }');
    expect(errors[0]?.extensions.code).toBe('NOT_FOUND');
  });
});
