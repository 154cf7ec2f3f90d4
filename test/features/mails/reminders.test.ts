import { sendReminders } from '../../../src/features/notifications/service/reminders.ts';
import { deliverEmails } from '../../../src/integrations/email/delivery-worker.ts';
import { createSmtpTransport } from '../../../src/integrations/email/smtp.ts';
import { BUYER, buyTickets, makeBuyer, makeEvent } from '../../support/factories/events.ts';
import { makeMember, signInFrontDesk } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import { bookingCalls, makeSpace, march } from '../../support/factories/space.ts';
import { startSmtp } from '../../support/fakes/smtp.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let staff: ReturnType<typeof bookingCalls>;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  staff = bookingCalls(app, await signInFrontDesk(app));
});
beforeEach(async () => {
  app.clock.now = NOW;
  await app.ctx.db.mail.deleteMany();
  await app.ctx.db.booking.deleteMany();
  await app.ctx.db.reminder.deleteMany();
});
afterAll(() => app.stop());

const at = (time: string) => {
  app.clock.now = new Date(time);
};

/** Runs the job at a time and returns the emails that it queued. */
async function runAt(time: string) {
  at(time);
  await app.ctx.db.mail.deleteMany();
  await sendReminders(app.ctx);
  return app.ctx.db.mail.findMany({ orderBy: { recipient: 'asc' } });
}

async function book() {
  const { room } = await makeSpace(app);
  const member = await makeMember(app);
  const input = { resourceId: room.id, memberId: member.id, ...march(20, '10:00', '12:00') };
  const { data } = await staff.create(input);
  return { member, room, id: data.createBooking.booking.id as string };
}

const getSecret = (text: string | undefined) => text?.match(/#(foyeru_\w+)/)?.[1] ?? '';
const SET = `mutation ($input: UpdateEmailPreferencesInput!) {
  updateEmailPreferences(input: $input) { emailPreferences { receivesReminders } } }`;
const GET = 'query ($secret: String) { emailPreferences(secret: $secret) { receivesReminders } }';

describe('a reminder of a booking', () => {
  it('is sent once, a day before', async () => {
    const { member } = await book();
    expect(await runAt('2026-03-19T08:59:59Z')).toEqual([]);
    const [mail, ...rest] = await runAt('2026-03-19T09:00:00Z');
    expect(rest).toEqual([]);
    expect(mail).toMatchObject({
      recipient: member.email,
      subject: 'Reminder: Room, Friday, 20 March 2026, 10:00 to 12:00 (Berlin time)',
    });
    expect(await runAt('2026-03-19T09:01:00Z')).toEqual([]);
  });

  it('is sent once if several processes run the job', async () => {
    await book();
    at('2026-03-19T10:00:00Z');
    await Promise.all([1, 2, 3].map(() => sendReminders(app.ctx)));
    expect(await app.ctx.db.mail.count()).toBe(1);
  });

  it('is sent again after a move', async () => {
    const { id } = await book();
    expect(await runAt('2026-03-19T10:00:00Z')).toHaveLength(1);
    await staff.reschedule(id, march(20, '16:00', '17:00'));
    expect(await runAt('2026-03-19T14:59:59Z')).toEqual([]);
    expect(await runAt('2026-03-19T15:00:00Z')).toHaveLength(1);
  });

  it('is not sent about a new, a requested or a cancelled booking', async () => {
    const cancelled = await book();
    await staff.cancel(cancelled.id);
    const requested = await book();
    const where = { id: requested.id };
    await app.ctx.db.booking.update({ where, data: { status: 'pending', updatedAt: NOW } });
    at('2026-03-19T10:00:00Z');
    await book();
    expect(await runAt('2026-03-19T10:01:00Z')).toEqual([]);
  });
});

describe('a reminder of an event', () => {
  it('is sent to the buyer and to other holders, each once', async () => {
    const { slug, type } = await makeEvent(app, {
      startsAt: new Date('2026-03-20T18:00:00Z'),
      endsAt: new Date('2026-03-20T20:00:00Z'),
      types: [{ priceAmount: 1_000 }],
    });
    const order = await buyTickets(app, slug, [{ ticketTypeId: type, quantity: 3 }]);
    const emails = ['guest@example.org', null, 'GUEST@example.org'];
    const tickets = await app.ctx.db.ticket.findMany({ where: { orderId: order.id } });
    for (const [index, { id }] of tickets.entries()) {
      const data = { attendeeEmail: emails[index] ?? null };
      await app.ctx.db.ticket.update({ where: { id }, data });
    }
    const mails = await runAt('2026-03-19T18:00:00Z');
    expect(mails.map(({ recipient }) => recipient)).toEqual(['guest@example.org', BUYER.email]);
    expect(mails[0]?.text).toMatch(new RegExp(`^Hello,\n\n.* begins soon[^]*order ${order.code}`));
    expect(await runAt('2026-03-19T18:01:00Z')).toEqual([]);
  });

  it('goes only to the buyer of a free order, who could name strangers as holders', async () => {
    const { slug, type } = await makeEvent(app, {
      startsAt: new Date('2026-03-24T18:00:00Z'),
      endsAt: new Date('2026-03-24T20:00:00Z'),
      types: [{ priceAmount: 0 }],
    });
    const buyer = makeBuyer();
    const order = await buyTickets(app, slug, [{ ticketTypeId: type, quantity: 1 }], { buyer });
    await app.ctx.db.ticket.updateMany({
      where: { orderId: order.id },
      data: { attendeeEmail: 'stranger@example.org' },
    });
    const mails = await runAt('2026-03-23T18:00:00Z');
    expect(mails.map(({ recipient }) => recipient)).toEqual([buyer.email]);
  });
});

describe('reminders', () => {
  it('can be stopped and started again with the link, for the whole mailbox', async () => {
    const { member } = await book();
    const [mail] = await runAt('2026-03-19T10:00:00Z');
    const secret = getSecret(mail?.text);
    expect((await app.graphql(GET, { secret })).data.emailPreferences.receivesReminders).toBe(true);
    await app.graphql(SET, { input: { secret, receivesReminders: false } });
    expect((await app.graphql(GET, { secret })).data.emailPreferences.receivesReminders).toBe(
      false,
    );

    at(NOW.toISOString());
    const { id } = await book();
    const email = member.email.replace('@', '+work@').toUpperCase();
    await app.ctx.db.booking.update({
      where: { id },
      data: { memberId: null, guestName: 'Gus', guestEmail: email, updatedAt: NOW },
    });
    expect(await runAt('2026-03-19T10:00:00Z')).toEqual([]);
    await app.graphql(SET, { input: { secret, receivesReminders: true } });
    await app.ctx.db.reminder.deleteMany();
    expect((await runAt('2026-03-19T10:00:00Z')).map(({ recipient }) => recipient)).toContain(
      email,
    );
  });

  it('can be stopped by signed-in members', async () => {
    const member = await makeMember(app);
    const session = await member.signedIn();
    await app.graphql(SET, { input: { receivesReminders: false } }, session);
    const { data } = await app.graphql(GET, {}, session);
    expect(data.emailPreferences.receivesReminders).toBe(false);
    expect((await app.graphql(GET)).codes).toEqual(['UNAUTHENTICATED']);
  });

  it('can be stopped by email programs with one click (RFC 8058)', async () => {
    const smtp = await startSmtp();
    const transport = createSmtpTransport({ url: smtp.url, from: 'Foyer <no-reply@foyer.test>' });
    await book();
    await runAt('2026-03-19T10:00:00Z');
    await deliverEmails(app.ctx, transport);
    transport.close();
    await smtp.stop();
    const source = (smtp.received[0]?.source ?? '').replace(/\r\n[ \t]+/g, ' ');
    expect(source).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const url = /^List-Unsubscribe: <(.*)>\r$/m.exec(source)?.[1] ?? '';
    const path = url.replace('http://foyer.test', '');
    const before = await app.ctx.db.emailOptOut.count();
    const page = await fetch(app.url + path, { redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([
      302,
      `http://foyer.test/email-preferences#${path.split('/')[3]}`,
    ]);
    expect(await app.ctx.db.emailOptOut.count()).toBe(before);
    const response = await fetch(app.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect(response.status).toBe(200);
    expect(await app.ctx.db.emailOptOut.count()).toBe(before + 1);
    const [stored] = await app.ctx.db.mail.findMany();
    expect(stored).toMatchObject({ unsubscribeUrl: null });
    expect(stored?.text).toContain('#foyeru_***');
  });

  it('cannot be changed with an unknown link', async () => {
    const unknown = `foyeru_${'a'.repeat(49)}`;
    expect((await app.graphql(GET, { secret: unknown })).codes).toEqual(['NOT_FOUND']);
    const { status } = await app.rest(
      `/public/email-preferences/${unknown}/unsubscribe`,
      {},
      { method: 'POST' },
    );
    expect(status).toBe(404);
  });
});
