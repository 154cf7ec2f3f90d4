import { sendClosureEmails } from '../../../src/features/notifications/service/closure-emails.ts';
import { placeDayPassOrder } from '../../../src/features/orders/place/service/place-day-pass-order.ts';
import { placeTicketOrder } from '../../../src/features/orders/place/service/place-ticket-order.ts';
import type { Credential } from '../../support/clients/api.ts';
import { makeBuyer, makeEvent } from '../../support/factories/events.ts';
import { createStaffUser, signInFrontDesk } from '../../support/factories/people.ts';
import { makeSpace } from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let desk: Credential;
let manager: Credential;
beforeAll(async () => {
  app = await startApp({ content: 'empty', config: { SMTP_URL: 'smtp://mail.test' } });
  desk = await signInFrontDesk(app);
  manager = { cookie: await (await createStaffUser(app)).session() };
});
afterAll(() => app.stop());

const DAYS = { startsOn: new Date('2026-03-25'), endsOn: new Date('2026-03-26') };

const announce = async (id: string, more: object = {}, as = manager) => {
  const { data, errors } = await app.graphql(
    `mutation ($input: AnnounceClosureInput!) {
      announceClosure(input: $input) { bookingCount cancelledCount ticketHolderCount } }`,
    { input: { id, ...more } },
    as,
  );
  expect(errors).toEqual([]);
  return data.announceClosure;
};

/** Runs the job with one recipient a batch, and returns the new emails by recipient. */
async function readMails(): Promise<Map<string, { text: string; priority: string }>> {
  await sendClosureEmails(app.ctx, undefined, 1);
  const rows = await app.ctx.db.mail.findMany();
  await app.ctx.db.mail.deleteMany();
  expect(new Set(rows.map(({ recipient }) => recipient)).size).toBe(rows.length);
  return new Map(rows.map((row) => [row.recipient, row]));
}

/** A location that can be closed for two days. On the first, there is an event with a free and a paid ticket type. */
async function makePlace() {
  const { location } = await makeSpace(app);
  const event = await makeEvent(app, { locationId: location.id, types: [{}, { priceAmount: 0 }] });
  const passes = await app.ctx.db.dayPassType.create({
    data: { name: 'Flex', priceAmount: 1_500, locationId: location.id },
  });
  const [paid = '', free = ''] = event.types;
  const order = (buyer: object, ticketTypeId: string, attendee?: { name: string; email: string }) =>
    placeTicketOrder(app.ctx, {
      event: event.id,
      buyer: buyer as ReturnType<typeof makeBuyer>,
      items: [{ ticketTypeId, quantity: 1, ...(attendee && { attendees: [attendee] }) }],
    });
  const buyPass = (buyer: ReturnType<typeof makeBuyer>, validOn: string) =>
    placeDayPassOrder(app.ctx, { buyer, dayPassTypeId: passes.id, validOn });
  const close = async () => {
    const data = { ...DAYS, locationId: location.id, reason: 'New floor' };
    return (await app.ctx.db.closure.create({ data })).id;
  };
  return { event, paid, free, order, buyPass, close };
}

describe('an announced closure', () => {
  it('is one email to each person with tickets or day passes on its days', async () => {
    const { paid, free, order, buyPass, close } = await makePlace();
    const [nora, otto, ida, late] = [makeBuyer(), makeBuyer(), makeBuyer(), makeBuyer()];
    await order(nora, free);
    await order(nora, paid); // reserved, to be paid at the front desk
    await buyPass(nora, '2026-03-26');
    await order(otto, free, { name: 'Ida', email: ida.email });
    await buyPass(late, '2026-03-27'); // after the closure
    const id = await close();
    await app.ctx.db.mail.deleteMany();

    expect(await announce(id, { message: 'We get a new floor.' })).toEqual({
      ...{ bookingCount: 0, cancelledCount: 0, ticketHolderCount: 3 },
    });
    const mails = await readMails();
    expect([...mails.keys()].sort()).toEqual([nora, otto, ida].map(({ email }) => email).sort());
    expect(mails.get(nora.email)?.text).toContain(`(New floor).

We get a new floor.

You have tickets or day passes on these days. We have not cancelled them, and email you if an event is moved or cancelled. Please contact us if you have questions, or if you want another day.

Evening, Wednesday, 25 March 2026, 19:00 to 22:00 (Berlin time)
Flex, Thursday, 26 March 2026
`);
    // Strangers can have entered names.
    expect(mails.get(ida.email)?.text).toMatch(/^Hello,\n/);
    expect(mails.get(ida.email)?.text).not.toContain('Flex');
  });

  it('is announced again to new holders only, with the first message unless there is another', async () => {
    const { free, order, close } = await makePlace();
    const id = await close();
    const [nora, otto, ida] = [makeBuyer(), makeBuyer(), makeBuyer()];
    await order(nora, free);
    const results = await Promise.all([1, 2].map(() => announce(id, { message: 'First.' })));
    expect(results.map(({ ticketHolderCount }) => ticketHolderCount).sort()).toEqual([0, 1]);
    await readMails();
    await order(otto, free);
    await app.ctx.db.mail.deleteMany();
    await announce(id);
    const second = await readMails();
    expect([...second.keys()]).toEqual([otto.email]);
    expect(second.get(otto.email)?.text).toContain('First.');
    await order(ida, free);
    await app.ctx.db.mail.deleteMany();
    await announce(id, { message: 'Another.' });
    expect((await readMails()).get(ida.email)?.text).toMatch(/Another\.[\s\S]*You have tickets/);
  });

  it('leaves out cancelled tickets, unconfirmed reservations and cancelled events', async () => {
    const { event, paid, free, order, close } = await makePlace();
    const id = await close();
    const [nora, otto] = [makeBuyer(), makeBuyer()];
    const { id: orderId } = await order(nora, free);
    await app.ctx.db.ticket.updateMany({ where: { orderId }, data: { status: 'cancelled' } });
    const { id: reserved } = await order(otto, paid);
    await app.ctx.db.order.update({
      where: { id: reserved },
      data: { confirmedHoldUntil: new Date('2026-03-25T18:00:00Z') },
    });
    expect(await announce(id)).toMatchObject({ ticketHolderCount: 0 });
    await order(makeBuyer(), free);
    await app.ctx.db.event.update({ where: { id: event.id }, data: { status: 'cancelled' } });
    expect(await announce(id)).toMatchObject({ ticketHolderCount: 0 });
  });

  it('of the front desk is not emailed to holders of tickets, but later by who can send mailings', async () => {
    const { free, order, close } = await makePlace();
    const id = await close();
    const nora = makeBuyer();
    await order(nora, free);
    await app.ctx.db.mail.deleteMany();
    expect(await announce(id, {}, desk)).toMatchObject({ ticketHolderCount: 0 });
    expect((await readMails()).size).toBe(0);
    expect(await announce(id)).toMatchObject({ ticketHolderCount: 1 });
    expect([...(await readMails()).keys()]).toEqual([nora.email]);
  });

  it('of a token has the priority of requested emails', async () => {
    const { free, order, close } = await makePlace();
    const id = await close();
    const nora = makeBuyer();
    await order(nora, free);
    await app.ctx.db.mail.deleteMany();
    await announce(id, {}, { token: await app.token('bookings:write', 'mailings:write') });
    expect((await readMails()).get(nora.email)?.priority).toBe('requested');
  });
});
