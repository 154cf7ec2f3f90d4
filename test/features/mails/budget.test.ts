import { v7 } from 'uuid';
import { anonymous } from '../../../src/auth/viewer.ts';
import type { Context } from '../../../src/context.ts';
import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { renderTicketFiles } from '../../../src/features/orders/tickets-pdf/service.ts';
import {
  CLIENT_EMAIL_BUDGET,
  consumeEmailBudget,
  EMAIL_BUDGETS,
} from '../../../src/integrations/email/budget.ts';
import { deliverEmails, purgeEmails } from '../../../src/integrations/email/delivery-worker.ts';
import { enqueueEmail } from '../../../src/integrations/email/outbox.ts';
import { createSmtpTransport, type EmailTransport } from '../../../src/integrations/email/smtp.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import { makeEvent, placeOrder } from '../../support/factories/events.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startSmtp, type TestSmtp } from '../../support/fakes/smtp.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let ctx: Context;
let smtp: TestSmtp;
let transport: EmailTransport;

beforeAll(async () => {
  app = await startApp({ config: { SMTP_URL: 'smtp://127.0.0.1:1', TRUST_PROXY: '1' } });
  ctx = app.ctx;
  smtp = await startSmtp();
  transport = createSmtpTransport({ url: smtp.url, from: 'Foyer <no-reply@foyer.test>' });
});
beforeEach(async () => {
  app.clock.now = NOW;
  smtp.received.length = 0;
  await ctx.db.mail.deleteMany();
  await ctx.db.mailBudget.deleteMany();
});
afterAll(async () => {
  transport.close();
  await smtp.stop();
  await app.stop();
});

const hoursLater = (hours: number) => {
  app.clock.now = new Date(NOW.getTime() + hours * 3_600_000);
};
/** Causes an email to any address, as a stranger can. */
const flood = async (count: number, to: (number: number) => string) => {
  for (let number = 0; number < count; number += 1)
    await enqueueEmail(
      { ...ctx, viewer: anonymous },
      { to: to(number), subject: 'Confirmed', text: 'Confirmed.' },
    );
};
const states = async () => {
  const owner = { cookie: await app.signIn(STAFF.owner) };
  const { data } = await app.graphql(
    '{ mails(first: 100) { edges { node { state priority subject lastError } } } }',
    {},
    owner,
  );
  return data.mails.edges.map(({ node }: { node: object }) => node);
};

describe('confirmation emails to one address', () => {
  it('stop at the budget when a stranger causes more of them, and the list shows the suppressed ones', async () => {
    const stranger = `${v7()}@example.org`;
    for (let count = 0; count < 3; count += 1) {
      const event = await makeEvent(app, { types: [{ priceAmount: 0 }] });
      await placeOrder(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }], {
        buyer: { name: 'Nora Lind', email: stranger },
      });
    }
    await catchUp(ctx, mailReader);
    await flood(EMAIL_BUDGETS.requested.perHour, () => stranger);
    while ((await deliverEmails(ctx, transport, { renderTickets: renderTicketFiles })) > 0);
    expect(smtp.received).toHaveLength(EMAIL_BUDGETS.requested.perHour);
    const list = await states();
    expect(list).toHaveLength(EMAIL_BUDGETS.requested.perHour + 3);
    expect(list[0]).toEqual({
      state: 'SUPPRESSED',
      priority: 'REQUESTED',
      subject: 'Confirmed',
      lastError: 'Not sent: too many emails were requested for this address.',
    });
    expect(await ctx.db.mail.count({ where: { status: 'waiting' } })).toBe(0);
    // Suppressed emails are never sent. New ones use the budget of the next hour, up to that of the day.
    for (let hour = 1; hour <= 3; hour += 1) {
      hoursLater(hour);
      await flood(EMAIL_BUDGETS.requested.perHour + 1, () => stranger);
      while ((await deliverEmails(ctx, transport)) > 0);
    }
    expect(smtp.received).toHaveLength(EMAIL_BUDGETS.requested.perDay);
  });

  it('share one budget for all variants of the address', async () => {
    await flood(15, (number) => `Some.One+${number}@GMail.com`);
    await flood(15, (number) => `s.o.m.e.one+x${number}@googlemail.com`);
    while ((await deliverEmails(ctx, transport)) > 0);
    expect(smtp.received).toHaveLength(EMAIL_BUDGETS.requested.perHour);
    await flood(30, (number) => `nora+${number}@example.org`);
    while ((await deliverEmails(ctx, transport)) > 0);
    expect(smtp.received).toHaveLength(2 * EMAIL_BUDGETS.requested.perHour);
  });

  it('do not block sign-in links or paid tickets', async () => {
    await flood(EMAIL_BUDGETS.requested.perHour + 5, () => 'ben@example.org');
    await deliverEmails(ctx, transport);
    await app.graphql(
      'mutation { requestSignInLink(input: { email: "ben@example.org" }) { email } }',
    );
    await enqueueEmail(
      { ...ctx, viewer: anonymous },
      { to: 'ben@example.org', subject: 'Paid', text: 'Paid.', priority: 'essential' },
    );
    smtp.received.length = 0;
    expect(await deliverEmails(ctx, transport)).toBe(2);
    const subjects = smtp.received.map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1]);
    expect(subjects.sort()).toEqual(['Paid', 'Your sign-in link']);
  });

  it('from one network do not block confirmations caused by the owner of the mailbox', async () => {
    const owner = `${v7()}@example.org`;
    const event = await makeEvent(app, { types: [{ priceAmount: 0, quantity: 100 }] });
    const deliverOrderEmails = async () => {
      await catchUp(ctx, mailReader);
      while ((await deliverEmails(ctx, transport, { renderTickets: renderTicketFiles })) > 0);
    };
    const orderFrom = (address: string) =>
      app.rest(
        `/public/events/${event.id}/orders`,
        {},
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
          body: JSON.stringify({
            buyer: { name: 'Nora Lind', email: owner },
            items: [{ ticket_type_id: event.type, quantity: 1 }],
          }),
        },
      );
    for (let count = 1; count <= CLIENT_EMAIL_BUDGET.perHour + 4; count += 1)
      await orderFrom(`198.51.100.${count}`);
    await deliverOrderEmails();
    expect(smtp.received).toHaveLength(CLIENT_EMAIL_BUDGET.perHour);
    expect((await orderFrom('203.0.113.5')).status).toBe(201);
    await deliverOrderEmails();
    expect(smtp.received).toHaveLength(CLIENT_EMAIL_BUDGET.perHour + 1);
    await purgeEmails(ctx);
    expect(await ctx.db.mail.count({ where: { clientKey: { not: null } } })).toBe(0);
  });

  it('do not block emails to other addresses', async () => {
    await flood(EMAIL_BUDGETS.requested.perHour + 5, () => 'ben@example.org');
    await flood(10, (number) => `person-${number}@example.org`);
    while ((await deliverEmails(ctx, transport)) > 0);
    expect(smtp.received.filter(({ to }) => to !== 'ben@example.org')).toHaveLength(10);
  });
});

describe('essential emails beyond the budget', () => {
  it('are postponed and arrive later', async () => {
    const { perHour } = EMAIL_BUDGETS.essential;
    for (let count = 0; count < perHour + 3; count += 1)
      await enqueueEmail(ctx, { to: 'ben@example.org', subject: `${count}`, text: 'Paid.' });
    while ((await deliverEmails(ctx, transport)) > 0);
    expect(smtp.received).toHaveLength(perHour);
    expect((await states())[0]).toMatchObject({
      state: 'WAITING',
      lastError: 'Postponed: this address has received too many emails.',
    });
    hoursLater(0.99);
    expect(await deliverEmails(ctx, transport)).toBe(0);
    hoursLater(1);
    while ((await deliverEmails(ctx, transport)) > 0);
    expect(smtp.received).toHaveLength(perHour + 3);
  });
});

describe('a budget under concurrent use', () => {
  const { perHour } = EMAIL_BUDGETS.requested;
  const crowd = <T>(work: () => Promise<T>) =>
    Promise.all(Array.from({ length: 3 * perHour }, work));

  it('is exceeded if it is read first and counted afterwards (negative control)', async () => {
    let used = 0;
    const naive = async () => {
      const { count } = { count: used };
      await ctx.db.mailBudget.count();
      if (count >= perHour) return false;
      used = count + 1;
      return true;
    };
    expect((await crowd(naive)).filter(Boolean).length).toBeGreaterThan(perHour);
  });

  it('is not exceeded', async () => {
    const mail = { recipient: 'ben@example.org', priority: 'requested' as const };
    const allowed = await crowd(() => consumeEmailBudget(ctx, mail));
    expect(allowed.filter(Boolean)).toHaveLength(perHour);
  });

  it('is purged a day after its last use', async () => {
    await consumeEmailBudget(ctx, { recipient: 'ben@example.org', priority: 'requested' });
    hoursLater(23);
    await purgeEmails(ctx);
    expect(await ctx.db.mailBudget.count()).toBe(1);
    hoursLater(24);
    await purgeEmails(ctx);
    expect(await ctx.db.mailBudget.count()).toBe(0);
  });
});
