import { cancelEventOrders } from '../../../src/features/orders/service/event-changes.ts';
import { expireOrders } from '../../../src/features/orders/service/expire-orders.ts';
import { offerAvailableTickets } from '../../../src/features/orders/waitlist/service/offer-tickets.ts';
import {
  atTime,
  cancelOrder,
  countStock,
  fetchOrder,
  findEmails,
  payOrder,
} from '../../support/factories/events.ts';
import {
  createWaitlistActions,
  makeSoldOutEvent,
  type Person,
} from '../../support/factories/waitlist.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let list: ReturnType<typeof createWaitlistActions>;
beforeAll(async () => {
  app = await startApp();
  list = createWaitlistActions(app);
});
afterAll(() => app.stop());

const findEntry = ({ email }: Person) =>
  app.ctx.db.waitlistEntry.findFirstOrThrow({ where: { email } });

const fetchOffer = async (person: Person) =>
  fetchOrder(app, (await list.findOfferSecret(person)) ?? '');

const inADay = () => new Date(app.clock.now.getTime() + 24 * 3_600_000);

/** A sold-out event with a group of three at the head of its list, and a single person. One ticket is returned. */
async function makeGroup(priceAmount = 1_000) {
  const event = await makeSoldOutEvent(app, 6, { priceAmount }, { separately: 4 });
  const [group, single] = [await list.addPerson(event.type, 3), await list.addPerson(event.type)];
  const before = await findEntry(group);
  await cancelOrder(app, event.orders[0].secret);
  return { ...event, group, single, before };
}

describe('a group at the head of the waiting list', () => {
  it('is offered what is left, and not passed over', async () => {
    const { group, single } = await makeGroup();
    expect(await list.getStatuses([group, single])).toEqual(['offered', 'waiting']);
    expect(await fetchOffer(group)).toMatchObject({ total: { amount: 1_000 } });
    const text = (await findEmails(app, group.email)).at(-1)?.text ?? '';
    expect(text).toMatch(/We are holding one ticket \(Type 0\)/);
    expect(text).toMatch(/waiting for 3 tickets.* stay on the list for the other 2, at your place/);
    expect(text).toMatch(/get an offer when all 3 are available/);
  });

  it('goes on waiting for the rest at its place after it pays', async () => {
    const { group, single, before, orders, id } = await makeGroup();
    await payOrder(app, await fetchOffer(group), 1_000);
    expect(await findEntry(group)).toMatchObject({
      status: 'waiting',
      quantity: 2,
      acceptsFewer: true,
      createdAt: before.createdAt,
    });
    const accepted = await app.ctx.db.change.findFirstOrThrow({
      where: { type: 'waitlist_entry.accepted', subjectId: before.id },
    });
    expect([accepted.before, accepted.after]).toEqual([
      { status: 'offered', quantity: 3 },
      { status: 'waiting', quantity: 2 },
    ]);
    for (const n of [1, 2, 3]) await cancelOrder(app, orders[n].secret);
    expect(await list.getStatuses([group, single])).toEqual(['offered', 'offered']);
    await cancelOrder(app, (await list.findOfferSecret(single)) ?? '');
    await payOrder(app, await fetchOffer(group), 1_000);
    expect(await findEntry(group)).toMatchObject({ status: 'waiting', quantity: 1 });
    await offerAvailableTickets(app.ctx);
    await payOrder(app, await fetchOffer(group), 1_000);
    expect(await findEntry(group)).toMatchObject({ status: 'accepted', quantity: 1 });
    expect(await countStock(app, id)).toMatchObject({ tickets: 5 });
  });

  it.each<[string, (secret: string) => Promise<unknown>]>([
    ['lapses', () => atTime(app, inADay(), () => expireOrders(app.ctx))],
    ['is declined', (secret) => cancelOrder(app, secret)],
  ])('waits for all at its place if the offer %s', async (_, end) => {
    const { group, single, before, orders } = await makeGroup();
    await end((await list.findOfferSecret(group)) ?? '');
    expect(await findEntry(group)).toMatchObject({
      status: 'waiting',
      quantity: 3,
      acceptsFewer: false,
      createdAt: before.createdAt,
    });
    expect(await list.getStatus(single)).toBe('offered');
    const expired = await app.ctx.db.change.findFirstOrThrow({
      where: { type: 'waitlist_entry.expired', subjectId: before.id },
    });
    expect([expired.before, expired.after]).toEqual([
      { status: 'offered', accepts_fewer: true },
      { status: 'waiting', accepts_fewer: false },
    ]);
    const later = new Date(app.clock.now.getTime() + 48 * 3_600_000);
    for (const n of [1, 2]) await atTime(app, later, () => cancelOrder(app, orders[n].secret));
    expect(await list.getStatus(group)).toBe('waiting');
    await atTime(app, later, () => cancelOrder(app, orders[3].secret));
    expect(await list.getStatus(group)).toBe('offered');
  });

  it('ends if the event is cancelled during the offer', async () => {
    const { group, id } = await makeGroup();
    await app.ctx.db.event.update({ where: { id }, data: { status: 'cancelled' } });
    await cancelEventOrders(app.ctx);
    expect(await list.getStatus(group)).toBe('expired');
    const subjects = (await findEmails(app, group.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => /cancelled|closed/.test(subject))).toHaveLength(1);
  });

  it('leaves the list with its offer', async () => {
    const { group, single } = await makeGroup();
    await list.leave(group);
    expect(await list.getStatuses([group, single])).toEqual(['withdrawn', 'offered']);
  });

  it('leaves the list also after it has accepted a part, and keeps the ticket', async () => {
    const { group } = await makeGroup();
    const offer = await fetchOffer(group);
    await payOrder(app, offer, 1_000);
    await list.leave(group);
    expect(await list.getStatus(group)).toBe('withdrawn');
    expect(await fetchOrder(app, offer.secret)).toMatchObject({ status: 'paid' });
  });

  it('waits for fewer tickets after a late payment', async () => {
    const { group, before } = await makeGroup();
    const offer = await fetchOffer(group);
    await app.ctx.db.waitlistEntry.deleteMany({ where: { email: { not: group.email } } });
    await atTime(app, inADay(), () => expireOrders(app.ctx));
    expect(await list.getStatus(group)).toBe('waiting');
    expect(await payOrder(app, offer, 1_000)).toBe('confirmed');
    expect(await findEntry(group)).toMatchObject({
      status: 'waiting',
      quantity: 2,
      acceptsFewer: true,
    });
    const accepted = await app.ctx.db.change.findFirstOrThrow({
      where: { type: 'waitlist_entry.accepted', subjectId: before.id },
    });
    expect([accepted.before, accepted.after]).toEqual([
      { status: 'waiting', quantity: 3, accepts_fewer: false },
      { status: 'waiting', quantity: 2, accepts_fewer: true },
    ]);
  });

  it('gets a late payment back if it has another offer for all', async () => {
    const { group, single, orders, id } = await makeGroup();
    const part = await fetchOffer(group);
    await atTime(app, inADay(), () => expireOrders(app.ctx));
    const later = new Date(app.clock.now.getTime() + 48 * 3_600_000);
    await atTime(app, later, async () => {
      await list.leave(single);
      for (const n of [1, 2, 3]) await cancelOrder(app, orders[n].secret);
      expect(await findEntry(group)).toMatchObject({ status: 'offered', quantity: 3 });
      const all = await fetchOffer(group);
      expect(all.id).not.toBe(part.id);
      expect(await payOrder(app, part, 1_000)).toBe('returned');
      expect(await payOrder(app, all, 3_000)).toBe('confirmed');
      expect(await list.getStatus(group)).toBe('accepted');
      expect(await countStock(app, id)).toMatchObject({ tickets: 5 });
    });
  });
});
