import {
  atTime,
  buyTickets,
  cancelOrder,
  findEmails,
  getReasons,
  makeBuyer,
  makeEvent,
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

const inDays = (days: number) => new Date(app.clock.now.getTime() + days * 24 * 3_600_000);

const changeEntry = async (person: Person, changes: object) =>
  list.change(await list.findEntrySecret(person), changes);

describe('a waiting-list entry', () => {
  it('is shown to whoever has its link', async () => {
    const event = await makeSoldOutEvent(app, 6, {}, { separately: 1 });
    const person = await list.addPerson(event.type, 2);
    const secret = await list.findEntrySecret(person);
    const entry = {
      status: 'WAITING',
      quantity: 2,
      acceptsFewer: true,
      offeredQuantity: null,
      offeredUntil: null,
      maxQuantity: 3,
      allowedActions: { change: true, leave: true },
      ticketTypeName: 'Type 0',
      eventTitle: 'Evening',
    };
    expect((await list.see(secret)).data.waitlistEntry).toEqual(entry);
    await cancelOrder(app, event.secret);
    expect((await list.see(secret)).data.waitlistEntry).toEqual({
      ...entry,
      status: 'OFFERED',
      offeredQuantity: 1,
      offeredUntil: inDays(1).toISOString(),
      allowedActions: { change: false, leave: true },
    });
    expect((await list.see(secret, 'isChangeable')).data.waitlistEntry.isChangeable).toBe(false);
    expect((await list.see('x')).codes).toEqual(['NOT_FOUND']);
    expect((await list.change('x', { quantity: 1 })).codes).toEqual(['NOT_FOUND']);
  });

  it('keeps its place when its quantity changes, and gets no tickets that everybody can order', async () => {
    const event = await makeSoldOutEvent(app, 6, {}, { separately: 1 });
    const person = await list.addPerson(event.type, 3, { acceptsFewer: false });
    const next = await list.addPerson(event.type, 3, { acceptsFewer: false });
    const { createdAt } = await findEntry(person);
    await cancelOrder(app, event.secret);
    expect(await list.getStatuses([person, next])).toEqual(['waiting', 'waiting']);
    const { data } = await changeEntry(person, { quantity: 2 });
    expect(data.changeWaitlistEntry.waitlistEntry).toMatchObject({
      status: 'WAITING',
      quantity: 2,
      acceptsFewer: false,
    });
    for (const changes of [{ acceptsFewer: true }, { quantity: 1 }])
      expect(getReasons(await changeEntry(person, changes))).toEqual(['STILL_AVAILABLE']);
    expect(await findEntry(person)).toMatchObject({ status: 'waiting', quantity: 2, createdAt });
    await buyTickets(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }], {
      buyer: makeBuyer(),
    });
    expect((await changeEntry(person, { acceptsFewer: true })).errors).toEqual([]);
    expect(await findEntry(person)).toMatchObject({ acceptsFewer: true, createdAt });
    await list.leave(next);
    expect(getReasons(await changeEntry(next, { quantity: 1 }))).toEqual(['NOT_WAITING']);
  });

  it('can change while tickets are left that nobody can order any more', async () => {
    const event = await makeSoldOutEvent(app, 6, {}, { separately: 1 });
    const person = await list.addPerson(event.type, 2, { acceptsFewer: false });
    await cancelOrder(app, event.secret);
    const { id } = await app.ctx.db.ticketType.update({
      where: { id: event.type },
      data: { salesEndAt: app.clock.now },
    });
    expect((await changeEntry(person, { quantity: 1 })).errors).toEqual([]);
    expect(getReasons(await changeEntry(person, { quantity: 3 }))).toEqual(['SALE_CLOSED']);
    await app.ctx.db.ticketType.update({ where: { id }, data: { salesEndAt: null } });
    expect(getReasons(await changeEntry(person, { acceptsFewer: true }))).toEqual([
      'STILL_AVAILABLE',
    ]);
  });

  it('gets more tickets only within the order limits and the size of the event', async () => {
    const event = await makeEvent(app, {
      capacity: 10,
      maxSeatsPerEmail: 4,
      types: [{ quantity: null, maxPerOrder: 10 }],
    });
    for (const quantity of [4, 4, 2])
      await buyTickets(app, event.id, [{ ticketTypeId: event.type, quantity }], {
        buyer: makeBuyer(),
      });
    const person = await list.addPerson(event.type);
    const { createdAt } = await findEntry(person);
    expect(getReasons(await changeEntry(person, { quantity: 6 }))).toEqual(['TOO_MANY']);
    expect(getReasons(await changeEntry(person, { quantity: 5 }))).toEqual(['SEAT_LIMIT_REACHED']);
    expect((await changeEntry(person, { quantity: 4 })).errors).toEqual([]);
    expect(await findEntry(person)).toMatchObject({ quantity: 4, createdAt });
    const usages = await app.ctx.db.seatUsage.findMany({ where: { kind: 'email', seats: 4 } });
    expect(usages).toHaveLength(1);
  });

  it('goes to the end if its person accepts fewer again after not accepting such an offer', async () => {
    const event = await makeSoldOutEvent(app, 6, {}, { separately: 1 });
    const [person, next] = [await list.addPerson(event.type, 3), await list.addPerson(event.type)];
    await cancelOrder(app, event.secret);
    await cancelOrder(app, (await list.findOfferSecret(person)) ?? '');
    expect(await list.getStatuses([person, next])).toEqual(['waiting', 'offered']);
    await atTime(app, inDays(2), () => changeEntry(person, { acceptsFewer: true }));
    expect(await findEntry(person)).toMatchObject({ acceptsFewer: true, createdAt: inDays(2) });
  });
});

describe('joining again with the same address', () => {
  it('changes nothing, and emails a link at most once a day', async () => {
    const event = await makeSoldOutEvent(app, 6, {}, { separately: 1 });
    const person = await list.addPerson(event.type, 2);
    const first = await list.findEntrySecret(person);
    const joinAgain = async (days: number) => {
      const { data } = await atTime(app, inDays(days), () =>
        list.join(event.type, { ...person, name: 'Mallory', acceptsFewer: false }, 3),
      );
      expect(data.joinWaitlist).toEqual({ ticketTypeId: event.type, quantity: 3 });
      return (await findEmails(app, person.email)).length;
    };
    expect(await joinAgain(0.9)).toBe(1);
    expect(await joinAgain(1)).toBe(2);
    expect(await joinAgain(1.9)).toBe(2);
    const second = await list.findEntrySecret(person);
    expect(await joinAgain(2.1)).toBe(3);
    const third = await list.findEntrySecret(person);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(await findEntry(person)).toMatchObject({ quantity: 2, acceptsFewer: true });
    expect((await findEntry(person)).name).toBe(person.name);
    const { text, subject } = (await findEmails(app, person.email)).at(-1) ?? {};
    expect(subject).toBe("You're already on the waiting list: Evening");
    expect(text).toMatch(/for 2 tickets \(Type 0\)/);
    for (const secret of [first, third])
      expect((await list.see(secret)).data.waitlistEntry).toMatchObject({ quantity: 2 });
    expect((await list.see(second)).codes).toEqual(['NOT_FOUND']);
  });

  it('emails at most once a day also after leaving, and the link opens the new entry', async () => {
    const { type } = await makeSoldOutEvent(app, 6, {}, { separately: 1 });
    const person = await list.addPerson(type);
    const first = await list.findEntrySecret(person);
    for (const quantity of [2, 3]) {
      await list.leave(person);
      expect((await list.see(first)).data.waitlistEntry).toMatchObject({ status: 'WITHDRAWN' });
      expect((await list.join(type, person, quantity)).errors).toEqual([]);
      expect((await list.see(first)).data.waitlistEntry).toMatchObject({
        status: 'WAITING',
        quantity,
      });
    }
    expect(await findEmails(app, person.email)).toHaveLength(1);
    const countEmailsAfter = (days: number, work: () => Promise<unknown>) =>
      atTime(app, inDays(days), async () => {
        await work();
        return (await findEmails(app, person.email)).length;
      });
    const join = () => list.join(type, person, 1);
    expect(await countEmailsAfter(0.9, join)).toBe(1);
    expect(await countEmailsAfter(1, join)).toBe(2);
    await list.leave(person);
    expect(await countEmailsAfter(1.9, join)).toBe(2);
    await list.leave(person);
    expect(await countEmailsAfter(2, join)).toBe(3);
    const second = await list.findEntrySecret(person);
    for (const secret of [first, second])
      expect((await list.see(secret)).data.waitlistEntry).toMatchObject({ quantity: 1 });
    await list.leave(person);
    expect(await app.ctx.db.waitlistEntry.count({ where: { email: person.email } })).toBe(5);
  });

  it('emails for each ticket type', async () => {
    const [one, other] = [await makeSoldOutEvent(app), await makeSoldOutEvent(app)];
    const person = await list.addPerson(one.type);
    await list.leave(person);
    await list.join(other.type, person);
    expect(await findEmails(app, person.email)).toHaveLength(2);
  });
});
