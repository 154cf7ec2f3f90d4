import PostalMime from 'postal-mime';
import { extractText, getDocumentProxy } from 'unpdf';
import type { Context } from '../../../src/context.ts';
import { updateEmailTemplate } from '../../../src/features/email-templates/service.ts';
import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { renderTicketFiles } from '../../../src/features/orders/tickets-pdf/service.ts';
import { updateSettings } from '../../../src/features/settings/service.ts';
import { deliverEmails } from '../../../src/integrations/email/delivery-worker.ts';
import { createSmtpTransport, type EmailTransport } from '../../../src/integrations/email/smtp.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import type { Language } from '../../../src/languages/languages.ts';
import { buyTickets, makeBuyer, makeEvent } from '../../support/factories/events.ts';
import { makeMember } from '../../support/factories/people.ts';
import { startSmtp, type TestSmtp } from '../../support/fakes/smtp.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';
import { captureStatements } from '../../support/harness/query-plans.ts';

let app: TestApp;
let ctx: Context;
let smtp: TestSmtp;
let transport: EmailTransport;

beforeAll(async () => {
  app = await startApp();
  ctx = app.ctx;
  smtp = await startSmtp();
  transport = createSmtpTransport({ url: smtp.url, from: 'Foyer <no-reply@foyer.test>' });
  await catchUp(ctx, mailReader); // registers the reader
});
beforeEach(async () => {
  await speak('de');
  await ctx.db.mail.deleteMany();
  await ctx.db.emailTemplate.deleteMany();
  smtp.received.length = 0;
});
afterAll(async () => {
  transport.close();
  await smtp.stop();
  await app.stop();
});

const speak = (language: Language) => updateSettings(ctx, { language });

/** Sends the emails that wait, and returns them as an email program reads them. */
async function deliver() {
  await catchUp(ctx, mailReader);
  await deliverEmails(ctx, transport, { renderTickets: renderTicketFiles });
  return Promise.all(smtp.received.map(({ raw }) => PostalMime.parse(raw)));
}

async function buy() {
  const event = await makeEvent(app);
  const items = [{ ticketTypeId: event.type, quantity: 2 }];
  return buyTickets(app, event.id, items, { buyer: makeBuyer() });
}

/** With spaces that may break. */
const toPlainSpaces = (text: string | undefined) => text?.replace(/[\u00a0\u202f]/g, ' ');

describe('an email of a German space', () => {
  it('is German with its dates, amounts, links and tickets', async () => {
    const { code, secret } = await buy();
    const [mail] = await deliver();
    expect(mail?.subject).toBe('Deine Tickets: Evening');
    const text = toPlainSpaces(mail?.text);
    expect(text).toContain(`Hallo Nora Lind,\n\nDeine Bestellung ${code} ist bestätigt: Evening.`);
    expect(text).toContain(
      'Wann: Mittwoch, 25. März 2026, 19:00 – 22:00 (Mitteleuropäische Zeit)\nWo: House\n',
    );
    expect(text).toContain('Du hast 20,00 € bezahlt.');
    expect(text).toMatch(
      /Zu deiner Bestellung:\nhttp\S+\/orders#\S+\n\nAlle, die diesen Link haben/,
    );
    expect(mail?.html).toContain('<html lang="de">');
    const file = mail?.attachments.find(({ mimeType }) => mimeType === 'application/pdf');
    const pdf = new Uint8Array(file?.content as ArrayBuffer);
    const printed = (await extractText(await getDocumentProxy(pdf))).text.join(' ');
    expect(printed).toMatch(/Bestellung\s/);
    expect(printed).toContain('10,00');
    expect(printed).not.toMatch(/Order|Price/);
    const receipt = await fetch(`${app.url}/public/orders/${secret}/receipt`);
    expect(toPlainSpaces(await receipt.text())).toMatch(
      /<html lang="de">[\s\S]*<h1>Beleg<\/h1>[\s\S]*Gesamt<\/th><td class="number">20,00 €/,
    );
  });

  it('keeps the words of managers, with dates in German', async () => {
    await updateEmailTemplate(ctx, { key: 'order-confirmed', body: 'See you: {{time}}' });
    await buy();
    const [mail] = await deliver();
    expect(mail?.subject).toBe('Deine Tickets: Evening');
    expect(mail?.text).toContain('See you: Mittwoch, 25. März 2026, 19:00');
  });

  it('for staff is German too, and French once the space is', async () => {
    const owner = { cookie: await app.signIn(STAFF.owner) };
    const invite = (email: string) =>
      app.graphql(
        'mutation ($input: InviteStaffInput!) { inviteStaff(input: $input) { url } }',
        { input: { name: 'Rita', email, role: 'MANAGER' } },
        owner,
      );
    await invite('rita@example.org');
    await speak('fr');
    await invite('remi@example.org');
    const subjects = new Map(
      (await deliver()).map(({ to, subject }) => [to?.[0]?.address, subject]),
    );
    expect(subjects.get('rita@example.org')).toBe('Deine Einladung zu Foyer');
    expect(subjects.get('remi@example.org')).toBe('Votre invitation\u00a0: Foyer');
  });

  it('reads the language once, with all others about the same changes', async () => {
    const team = await ctx.db.team.create({ data: { name: 'Northlight' } });
    const plan = await ctx.db.plan.findFirstOrThrow();
    for (let count = 0; count < 3; count += 1) await makeMember(app, { teamId: team.id });
    const owner = { cookie: await app.signIn(STAFF.owner) };
    await app.graphql(
      'mutation ($input: CreateMembershipInput!) { createMembership(input: $input) { membership { id } } }',
      { input: { planId: plan.id, teamId: team.id, startsOn: '2026-04-01' } },
      owner,
    );
    const sent = await captureStatements(() => catchUp(ctx, mailReader));
    expect(await ctx.db.mail.count()).toBe(3);
    expect(sent.filter(({ text }) => text.includes('language'))).toHaveLength(1);
  });
});

it('the texts that managers can reword are those of the space', async () => {
  await speak('de');
  const owner = { cookie: await app.signIn(STAFF.owner) };
  const { data } = await app.graphql(
    '{ emailTemplate(key: "order-confirmed") { title subject defaultBody isReworded preview { subject text } } }',
    {},
    owner,
  );
  expect(data.emailTemplate).toMatchObject({
    ...{ title: 'Order confirmed', subject: 'Deine {{admissions}}: {{title}}', isReworded: false },
    preview: {
      subject: 'Deine Tickets: Evening of short talks',
      text: expect.stringMatching(/^Hallo [\s\S]*Wann: Donnerstag, 19\. März 2026, 19:00/),
    },
  });
  expect(data.emailTemplate.defaultBody).toContain('Deine Bestellung {{order}} ist bestätigt');
});
