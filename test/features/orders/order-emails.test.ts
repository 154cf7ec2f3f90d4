import ICAL from 'ical.js';
import PostalMime from 'postal-mime';
import { v7 } from 'uuid';
import type { Context } from '../../../src/context.ts';
import { updateEmailTemplate } from '../../../src/features/email-templates/service.ts';
import {
  cancelEvent,
  updateEvent,
} from '../../../src/features/event-management/service/edit-event.ts';
import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { announceEventMoves } from '../../../src/features/orders/emails/service/event-moves.ts';
import { resendOrderConfirmation } from '../../../src/features/orders/emails/service/resend-links.ts';
import { transferAdmission } from '../../../src/features/orders/service/change-attendee.ts';
import { renderTicketFiles } from '../../../src/features/orders/tickets-pdf/service.ts';
import { joinWaitlist } from '../../../src/features/orders/waitlist/service/waitlist.ts';
import { deliverEmails } from '../../../src/integrations/email/delivery-worker.ts';
import { createSmtpTransport, type EmailTransport } from '../../../src/integrations/email/smtp.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import {
  buyTickets,
  cancelOrder,
  findEmails,
  makeBuyer,
  makeEvent,
  placeOrder,
} from '../../support/factories/events.ts';
import { makeSpace } from '../../support/factories/space.ts';
import { startSmtp, type TestSmtp } from '../../support/fakes/smtp.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let ctx: Context;
let smtp: TestSmtp;
let transport: EmailTransport;

beforeAll(async () => {
  app = await startApp();
  ctx = app.ctx;
  smtp = await startSmtp();
  transport = createSmtpTransport({ url: smtp.url, from: 'Foyer <no-reply@foyer.test>' });
});
beforeEach(async () => {
  await catchUp(ctx, mailReader);
  await ctx.db.mail.deleteMany();
  await ctx.db.mailBudget.deleteMany();
  smtp.received.length = 0;
});
afterAll(async () => {
  transport.close();
  await smtp.stop();
  await app.stop();
});

const one = (event: { type: string }, more: object = {}) => [
  { ticketTypeId: event.type, quantity: 1, ...more },
];

const countEmails = (people: { email: string }[]) =>
  Promise.all(people.map(async ({ email }) => (await findEmails(app, email)).length));

async function deliver() {
  await catchUp(ctx, mailReader);
  await deliverEmails(ctx, transport, { renderTickets: renderTicketFiles });
  return Promise.all(smtp.received.map(({ raw }) => PostalMime.parse(raw)));
}

describe('the confirmation of an order', () => {
  it('arrives once, with the tickets, their QR codes and a calendar entry', async () => {
    const event = await makeEvent(app);
    const order = await buyTickets(
      app,
      event.id,
      [{ ticketTypeId: event.type, quantity: 2, attendees: [{ name: 'Łukasz' }, { name: 'Ida' }] }],
      { buyer: makeBuyer() },
    );
    await deliver();
    const [mail, ...others] = await deliver();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Your tickets: Evening');
    const { code } = order.tickets[0];
    expect(mail?.text).toContain(`Łukasz: ${code}\n`);
    const files = mail?.attachments ?? [];
    expect(files.map(({ mimeType, filename }) => [mimeType, filename])).toEqual([
      ['image/png', `${code}.png`],
      ['image/png', `${order.tickets[1].code}.png`],
      ['text/calendar', null],
      ['application/pdf', 'tickets.pdf'],
      ['application/ics', 'invite.ics'],
    ]);
    const images = files.filter(({ mimeType }) => mimeType === 'image/png');
    for (const { contentId } of images)
      expect(mail?.html).toContain(`src="cid:${contentId?.slice(1, -1)}"`);
    const calendar = files.find(({ mimeType }) => mimeType === 'application/ics');
    const ics = Buffer.from(calendar?.content as ArrayBuffer).toString();
    expect(ics).toContain('METHOD:PUBLISH');
    expect(ics).toContain('SUMMARY:Evening');
    // The link opens the order.
    const secret = /orders#(\S+)/.exec(mail?.text ?? '')?.[1];
    expect((await app.rest(`/public/orders/${secret}`)).status).toBe(200);
  });

  it('of a free order contains no text that a stranger entered', async () => {
    const { type: ticketType, id } = await makeEvent(app, { types: [{ priceAmount: 0 }] });
    const buyer = { name: 'Buy pills', email: `${v7()}@example.org` };
    await placeOrder(app, id, one({ type: ticketType }, { attendees: [{ name: 'Buy pills' }] }), {
      buyer,
    });
    await deliver();
    const [source] = smtp.received;
    const mail = await PostalMime.parse(source?.raw ?? '');
    const content = [
      mail.html,
      mail.text,
      ...mail.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer).toString()),
    ].join('\n');
    expect(mail.subject).toBe('Your tickets: Evening');
    expect(content.includes('pills')).toBe(false); // the content is too long to print
  });

  it('is left out if the order was cancelled before', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    const { secret } = await buyTickets(app, event.id, one(event), { buyer });
    await cancelOrder(app, secret);
    expect((await findEmails(app, buyer.email)).map(({ subject }) => subject)).toEqual([
      'One ticket cancelled: Evening',
    ]);
  });

  it('follows the wording of managers, and is not sent while it is switched off', async () => {
    const event = await makeEvent(app);
    const [reworded, silent] = [makeBuyer(), makeBuyer()];
    const template = { key: 'order-confirmed' };
    await updateEmailTemplate(ctx, { ...template, body: 'Welcome to {{title}}!' });
    await buyTickets(app, event.id, one(event), { buyer: reworded });
    expect((await findEmails(app, reworded.email))[0]?.text).toContain('Welcome to Evening!');
    await updateEmailTemplate(ctx, { ...template, isEnabled: false });
    await buyTickets(app, event.id, one(event), { buyer: silent });
    expect(await findEmails(app, silent.email)).toEqual([]);
    await updateEmailTemplate(ctx, { ...template, isEnabled: true });
  });
});

describe('the email about a command', () => {
  const cancelOne = async () => {
    const event = await makeEvent(app, { types: [{ priceAmount: 1_000 }] });
    const buyer = makeBuyer();
    const holders = [1, 2, 3].map(() => ({ name: 'Ida', email: `${v7()}@example.org` }));
    const items = [{ ticketTypeId: event.type, quantity: 3, attendees: holders }];
    const { secret } = await buyTickets(app, event.id, items, { buyer });
    await catchUp(ctx, mailReader);
    return { buyer, holders, cancel: () => cancelOrder(app, secret) };
  };

  it('is one for all that it did to the order, even if a batch of the reader ends within it', async () => {
    for (let others = 193; others <= 200; others += 1) {
      const { buyer, holders, cancel } = await cancelOne();
      // The reader counts these, and sends nothing.
      const change = { type: 'event.updated', actorKind: 'system', at: ctx.now() } as const;
      await ctx.db.change.createMany({ data: Array.from({ length: others }, () => change) });
      await cancel();
      const [, ...emails] = await findEmails(app, buyer.email);
      expect(emails).toMatchObject([
        { subject: '3 tickets cancelled: Evening', priority: 'essential' },
      ]);
      expect(emails[0]?.text).toMatch(/3 tickets[\s\S]*€30\.00/);
      for (const { email } of holders)
        expect((await findEmails(app, email)).map(({ subject }) => subject)).toEqual([
          'Your ticket was cancelled: Evening',
        ]);
    }
  });

  it('is not sent again for changes of an older version, which sent it itself', async () => {
    const event = await makeEvent(app, { types: [{ priceAmount: 1_000, quantity: 2 }] });
    const [buyer, friend, waiting] = [makeBuyer(), makeBuyer(), makeBuyer()];
    const { id, secret, tickets } = await buyTickets(app, event.id, one(event), { buyer });
    const other = await buyTickets(app, event.id, one(event), { buyer });
    await joinWaitlist(ctx, {
      ticketTypeId: event.type,
      quantity: 1,
      acceptsFewer: true,
      ...waiting,
    });
    const before = await countEmails([buyer, friend, waiting]);
    await transferAdmission(ctx, secret, tickets[0].id, friend);
    await resendOrderConfirmation(ctx, id);
    await cancelOrder(app, other.secret); // and its ticket is offered
    await ctx.db.change.updateMany({ data: { transactionId: null } });
    expect(await countEmails([buyer, friend, waiting])).toEqual(before);
  });
});

describe('the calendar entry of an order', () => {
  const readEntries = async (email: string) =>
    (await findEmails(app, email)).map(({ attachments }) => {
      const [{ content, method }] = attachments as [{ content: string; method: string }];
      const calendar = new ICAL.Component(ICAL.parse(content));
      const entry = calendar.getFirstSubcomponent('vevent') as ICAL.Component;
      const { uid, sequence, startDate, organizer } = new ICAL.Event(entry);
      const status = entry.getFirstPropertyValue('status');
      return {
        method,
        organizer,
        uid,
        sequence,
        status,
        start: startDate.toJSDate().toISOString(),
      };
    });

  const later = () => {
    app.clock.now = new Date(app.clock.now.getTime() + 60_000);
  };
  const buy = async (more: object = {}, event?: Awaited<ReturnType<typeof makeEvent>>) => {
    const sold = event ?? (await makeEvent(app));
    const buyer = makeBuyer();
    const order = await buyTickets(app, sold.id, one(sold, more), { buyer });
    await catchUp(ctx, mailReader);
    later();
    return { event: sold, buyer, id: order.id as string, secret: order.secret as string };
  };

  it('is updated when the event moves and when it is cancelled', async () => {
    const holder = `${v7()}@example.org`;
    const { event, buyer, id } = await buy({ attendees: [{ name: 'Ida', email: holder }] });
    await updateEvent(ctx, event.id, { startsAt: new Date('2026-03-25T19:00:00Z') });
    await catchUp(ctx, mailReader);
    await announceEventMoves(ctx);
    later();
    await cancelEvent(ctx, event.id, null);
    const entries = await readEntries(buyer.email);
    const same = { uid: `${id}@foyer.test`, organizer: 'mailto:no-reply@foyer.test' };
    expect(entries).toMatchObject([
      { ...same, method: 'PUBLISH', status: 'CONFIRMED', start: '2026-03-25T18:00:00.000Z' },
      { ...same, method: 'PUBLISH', status: 'CONFIRMED', start: '2026-03-25T19:00:00.000Z' },
      { ...same, method: 'CANCEL', status: 'CANCELLED', start: '2026-03-25T19:00:00.000Z' },
    ]);
    const sequences = entries.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b));
    expect(await readEntries(holder)).toEqual(entries.slice(1));
  });

  it('is cancelled with the order', async () => {
    const { buyer, secret, event } = await buy();
    const other = await buyTickets(app, event.id, one(event), { buyer });
    await catchUp(ctx, mailReader);
    later();
    await cancelOrder(app, secret);
    const [added, kept, cancelled] = await readEntries(buyer.email);
    expect(cancelled).toMatchObject({ method: 'CANCEL', uid: added?.uid, status: 'CANCELLED' });
    expect(cancelled?.sequence).toBeGreaterThan(added?.sequence ?? 0);
    // The buyer still attends with the other order.
    expect(kept).toMatchObject({ uid: `${other.id}@foyer.test`, status: 'CONFIRMED' });
  });
});

describe('a moved event', () => {
  it('is announced once to each buyer and holder, with a link that works', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    const holder = `${v7()}@example.org`;
    await buyTickets(app, event.id, one(event, { attendees: [{ name: 'Ida', email: holder }] }), {
      buyer,
    });
    await catchUp(ctx, mailReader);
    await updateEvent(ctx, event.id, { startsAt: new Date('2026-03-25T19:00:00Z') });
    await catchUp(ctx, mailReader);
    await updateEvent(ctx, event.id, { summary: 'Soup' });
    await catchUp(ctx, mailReader);
    await Promise.all([announceEventMoves(ctx), announceEventMoves(ctx)]);
    const emails = await findEmails(app, buyer.email);
    expect(emails.map(({ subject }) => subject)).toEqual([
      'Your tickets: Evening',
      'Changed: Evening',
    ]);
    expect(emails[1]?.text).toContain(
      'Time: Wednesday, 25 March 2026, 20:00 to 22:00 (Berlin time)',
    );
    const previous = 'Previous time: Wednesday, 25 March 2026, 19:00 to 22:00 (Berlin time)';
    expect(emails[1]?.text).toContain(previous);
    const secret = /orders#(\S+)/.exec(emails[1]?.text ?? '')?.[1];
    expect((await app.rest(`/public/orders/${secret}`)).status).toBe(200);
    expect(await findEmails(app, holder)).toMatchObject([
      { subject: 'Changed: Evening', text: expect.stringContaining(previous) },
    ]);
  });

  it('names the time before the first of several moves, and none if only its place changes', async () => {
    const event = await makeEvent(app);
    const buyer = makeBuyer();
    await buyTickets(app, event.id, one(event), { buyer });
    await catchUp(ctx, mailReader);
    const announce = async (change: Parameters<typeof updateEvent>[2]) => {
      await updateEvent(ctx, event.id, change);
      await catchUp(ctx, mailReader);
    };
    const readLast = async () => {
      await announceEventMoves(ctx);
      return (await findEmails(app, buyer.email)).at(-1)?.text;
    };
    await announce({ startsAt: new Date('2026-03-24T18:00:00Z') });
    await announce({ startsAt: new Date('2026-03-25T19:00:00Z') });
    expect(await readLast()).toContain('Previous time: Wednesday, 25 March 2026, 19:00 to 22:00');
    await announce({ locationId: (await makeSpace(app)).location.id });
    expect(await readLast()).not.toContain('Previous time');
  });

  it('is announced to all, also after an interruption, and again if it is moved meanwhile', async () => {
    const event = await makeEvent(app);
    const buyers = [1, 2, 3].map(() => makeBuyer());
    for (const buyer of buyers) await buyTickets(app, event.id, one(event), { buyer });
    const move = async (startsAt: string) => {
      await updateEvent(ctx, event.id, { startsAt: new Date(startsAt) });
      await catchUp(ctx, mailReader);
    };
    const countAnnounced = () =>
      Promise.all(
        buyers.map(({ email }) =>
          ctx.db.mail.count({ where: { recipient: email, subject: 'Changed: Evening' } }),
        ),
      );
    /** Announces to two orders, then stops as if the process had ended. */
    const interrupt = () => {
      let checks = 0;
      const signal = {
        get aborted() {
          checks += 1;
          return checks > 1;
        },
      } as AbortSignal;
      return announceEventMoves(ctx, signal, 2);
    };
    await move('2026-03-25T19:00:00Z');
    await interrupt();
    expect(await countAnnounced()).toEqual([1, 1, 0]);
    await move('2026-03-25T19:30:00Z');
    await interrupt();
    expect(await countAnnounced()).toEqual([2, 2, 0]);
    await announceEventMoves(ctx);
    await announceEventMoves(ctx);
    expect(await countAnnounced()).toEqual([2, 2, 1]);
  });
});
