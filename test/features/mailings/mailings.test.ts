import { v7 } from 'uuid';
import type { Context } from '../../../src/context.ts';
import { sendMailings } from '../../../src/features/mailings/service/send-mailings.ts';
import { updateSettings } from '../../../src/features/settings/service.ts';
import { EMAIL_BUDGETS } from '../../../src/integrations/email/budget.ts';
import { deliverEmails } from '../../../src/integrations/email/delivery-worker.ts';
import { enqueueEmail } from '../../../src/integrations/email/outbox.ts';
import type { EmailTransport } from '../../../src/integrations/email/smtp.ts';
import type { Credential } from '../../support/clients/api.ts';
import { buyTickets, getReasons, makeEvent } from '../../support/factories/events.ts';
import { makeMember } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import { createFullTransport } from '../../support/fakes/full-transport.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let ctx: Context;
let manager: Credential;
let rejects = '';
const transport: EmailTransport = {
  send: async ({ recipient }) => {
    if (recipient.startsWith(rejects) && rejects)
      throw Object.assign(new Error('no such mailbox'), { code: 'EENVELOPE', responseCode: 550 });
  },
  close: () => {},
};

beforeAll(async () => {
  app = await startApp({ config: { SMTP_URL: 'smtp://127.0.0.1:1' } });
  ctx = app.ctx;
  manager = { cookie: await app.signIn(STAFF.manager) };
});
beforeEach(async () => {
  app.clock.now = NOW;
  rejects = '';
  await ctx.db.mail.deleteMany();
  await ctx.db.mailBudget.deleteMany();
  await ctx.db.rateLimit.deleteMany();
});
afterAll(() => app.stop());

/** A plan with this many members, whose addresses are those of `toEmail`. */
async function makePlan(count: number) {
  const plan = await ctx.db.plan.create({ data: { name: v7() } });
  const addMember = async (name: string, email = `${v7()}@example.org`) => {
    const member = await makeMember(app, { name, email });
    await ctx.db.membership.create({
      data: { planId: plan.id, memberId: member.id, startsOn: new Date('2026-01-01') },
    });
    return email;
  };
  const emails: string[] = [];
  for (let n = 0; n < count; n += 1) emails.push(await addMember(`Member ${n}`));
  return { planId: plan.id, emails, addMember };
}

const MESSAGE = { subject: 'Closed on Friday', body: 'Hello {{name}},\n\nwe are\nclosed <today>.' };
const toMembers = (planId: string) => ({ ...MESSAGE, audience: 'MEMBERS', planId });

const preview = (input: object, as = manager) =>
  app.graphql(
    `query ($input: PreviewMailingInput!) { previewMailing(input: $input) {
      subject text html recipients sample { name email } } }`,
    { input },
    as,
  );
const create = (input: object, as = manager) =>
  app.graphql(
    `mutation ($input: CreateMailingInput!) { createMailing(input: $input) { mailing { id } } }`,
    { input },
    as,
  );
const send = async (input: object): Promise<string> => {
  const { data, errors } = await create(input);
  expect(errors).toEqual([]);
  await sendMailings(ctx);
  return data.createMailing.mailing.id;
};
const cancel = (id: string) =>
  app.graphql(
    `mutation ($id: ID!) { cancelMailing(input: { id: $id }) { mailing { status } } }`,
    { id },
    manager,
  );
const read = async (id: string) => {
  const { data, errors } = await app.graphql(
    `query ($id: ID!) { mailing(id: $id) { status recipientCount waitingCount sentCount failedCount author endedAt
      plan { id } location { id } event { id } } }`,
    { id },
    manager,
  );
  expect(errors).toEqual([]);
  return data.mailing;
};
const findMails = (mailingId: string) => ctx.db.mail.findMany({ where: { mailingId } });

describe('a mailing to members', () => {
  it('can be stopped by its recipients with one click, and reminders are still sent', async () => {
    const { planId, emails } = await makePlan(2);
    const mails = await findMails(await send({ ...toMembers(planId), expectedRecipients: 2 }));
    const stopped = mails.find(({ recipient }) => recipient === emails[0]);
    expect(new Set(mails.map(({ unsubscribeUrl }) => unsubscribeUrl)).size).toBe(2);
    expect(stopped?.text).toMatch(/Stop these emails:\n\S+\/email-preferences#foyeru_/);
    const path = stopped?.unsubscribeUrl?.replace(ctx.baseUrl, '');
    const response = await fetch(app.url + path, { method: 'POST' });
    expect((await response.json()).data).toEqual({
      receives_reminders: true,
      receives_mailings: false,
    });
    expect((await preview(toMembers(planId))).data.previewMailing.recipients).toBe(1);
    const again = await findMails(await send({ ...toMembers(planId), expectedRecipients: 1 }));
    expect(again.map(({ recipient }) => recipient)).toEqual([emails[1]]);
  });

  it('to attendees of an event has no such link, since they need to know', async () => {
    const event = await makeEvent(app);
    await buyTickets(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }]);
    const input = { subject: 'Other entrance', body: 'Use the back.', expectedRecipients: 1 };
    const [mail] = await findMails(
      await send({ ...input, audience: 'ATTENDEES', eventId: event.id }),
    );
    expect(mail).toMatchObject({ unsubscribeUrl: null });
    expect(mail?.text).not.toContain('email-preferences');
  });

  it('is previewed and sent with the name of each recipient, as text and as HTML', async () => {
    const { planId, addMember } = await makePlan(0);
    await addMember('Zoe & Co', 'zoe@example.org');
    await addMember('Visit www.example.org', 'old@example.org');
    const { data } = await preview(toMembers(planId));
    expect(data.previewMailing).toMatchObject({
      recipients: 2,
      sample: [
        { name: 'Visit www.example.org', email: 'old@example.org' },
        { name: 'Zoe & Co', email: 'zoe@example.org' },
      ],
    });
    const id = await send({ ...toMembers(planId), expectedRecipients: 2 });
    const mails = await findMails(id);
    const zoe = mails.find(({ recipient }) => recipient === 'zoe@example.org');
    expect(zoe?.text).toMatch(
      /^Hello Zoe & Co,\n\nwe are\nclosed <today>\.\n\nYou receive this email because you are a member of Foyer\.\n\nStop these emails:\n\S+\n$/,
    );
    expect(zoe?.html?.replaceAll(/ style="[^"]*"/g, '')).toContain(
      '<p>Hello Zoe &amp; Co,</p>\n<p>we are<br>\nclosed &lt;today&gt;.</p>',
    );
    expect(mails.find(({ recipient }) => recipient === 'old@example.org')?.text).toMatch(/^Hello,/);
    await updateSettings(ctx, { name: 'Kranwerk' });
    const named = await preview(toMembers(planId));
    await updateSettings(ctx, { name: null });
    expect(named.data.previewMailing.text).toContain('because you are a member of Kranwerk.');
    expect(data.previewMailing.text).toMatch(/^Hello,\n/);
  });

  it('is sent after all other emails, and reports its progress until the last one', async () => {
    const { planId, emails } = await makePlan(12);
    rejects = emails[0] ?? '';
    const id = await send({ ...toMembers(planId), expectedRecipients: 12 });
    expect(await read(id)).toEqual({
      ...{ status: 'SENDING', recipientCount: 12, waitingCount: 12, sentCount: 0, failedCount: 0 },
      ...{
        author: 'Mona Haddad',
        endedAt: null,
        plan: { id: planId },
        location: null,
        event: null,
      },
    });
    app.clock.now = new Date(NOW.getTime() + 1_000);
    await enqueueEmail(ctx, {
      to: 'link@example.org',
      subject: 'x',
      text: 'x',
      priority: 'requested',
    });
    const full = createFullTransport(transport.send);
    await deliverEmails(ctx, full.transport);
    expect(full.listFirst()).toContainEqual(
      expect.objectContaining({ recipient: 'link@example.org' }),
    );
    await sendMailings(ctx);
    expect(await read(id)).toMatchObject({
      ...{ status: 'SENT', recipientCount: 12, waitingCount: 0, sentCount: 11, failedCount: 1 },
      endedAt: app.clock.now.toISOString(),
    });
    await ctx.db.mail.deleteMany(); // as the purge after 90 days
    expect(await read(id)).toMatchObject({ sentCount: 11, failedCount: 1 });
    const { data } = await app.graphql(
      'query ($id: ID!) { changes(first: 5, filter: { subjectIds: [$id] }) { nodes { type actor { kind } } } }',
      { id },
      manager,
    );
    expect(data.changes.nodes).toEqual([
      { type: 'mailing.created', actor: { kind: 'STAFF' } },
      { type: 'mailing.sent', actor: { kind: 'SYSTEM' } },
    ]);
  });

  it('is postponed, not suppressed, for a mailbox that has received many emails', async () => {
    const { planId, emails } = await makePlan(1);
    const { perHour } = EMAIL_BUDGETS.bulk;
    for (let n = 0; n < perHour; n += 1)
      await enqueueEmail(ctx, { to: emails[0] ?? '', subject: 'x', text: 'x' });
    expect(await deliverEmails(ctx, transport)).toBe(perHour);
    const id = await send({ ...toMembers(planId), expectedRecipients: 1 });
    expect(await deliverEmails(ctx, transport)).toBe(0);
    expect(await findMails(id)).toMatchObject([{ status: 'waiting', attempts: 0 }]);
    app.clock.now = new Date(NOW.getTime() + 3_600_000);
    expect(await deliverEmails(ctx, transport)).toBe(1);
  });

  it('is cancelled: waiting emails are removed, those that were sent stay', async () => {
    const { planId, emails } = await makePlan(3);
    const id = await send({ ...toMembers(planId), expectedRecipients: 3 });
    const [sent, retried] = emails;
    await ctx.db.mail.updateMany({
      where: { recipient: sent ?? '' },
      data: { status: 'sent', sentAt: NOW },
    });
    await ctx.db.mail.updateMany({ where: { recipient: retried ?? '' }, data: { attempts: 2 } });
    expect((await cancel(id)).data.cancelMailing.mailing).toEqual({ status: 'CANCELLED' });
    const statuses = (await findMails(id)).map(({ recipient, status }) => [recipient, status]);
    expect(statuses.sort()).toEqual(
      [
        [sent, 'sent'],
        [retried, 'failed'],
      ].sort(),
    );
    await sendMailings(ctx);
    expect(await deliverEmails(ctx, transport)).toBe(0);
    expect(await read(id)).toMatchObject({ status: 'CANCELLED', sentCount: 1, failedCount: 1 });
    expect(getReasons(await cancel(id))).toEqual(['MAILING_ENDED']);
  });

  it('writes nothing more once it is cancelled', async () => {
    const { planId } = await makePlan(3);
    const { data } = await create({ ...toMembers(planId), expectedRecipients: 3 });
    const { id } = data.createMailing.mailing;
    const process = new AbortController();
    const triggerJob = async () => process.abort();
    await sendMailings({ ...ctx, triggerJob }, process.signal, 1);
    expect(await findMails(id)).toHaveLength(1);
    await cancel(id);
    await sendMailings(ctx);
    expect(await findMails(id)).toEqual([]);
  });
});

describe('a mailing to attendees', () => {
  it('reaches a member with two tickets once, says why, and follows the transfer of a ticket', async () => {
    const event = await makeEvent(app, { title: 'Summer party' });
    const buyer = { name: 'Nora Lind', email: 'nora@example.org' };
    const attendees = [
      { name: 'Nora Lind', email: 'nora+1@example.org' },
      { name: 'Otto', email: 'otto@example.org' },
    ];
    await buyTickets(app, event.slug, [{ ticketTypeId: event.type, quantity: 2, attendees }], {
      buyer,
    });
    const message = { subject: 'Bring a towel', body: 'See you soon.' };
    const input = { ...message, audience: 'ATTENDEES', eventId: event.id };
    const { data } = await preview(input);
    expect(data.previewMailing.sample.map(({ name }: { name: string }) => name)).toEqual([
      'Nora Lind',
      'Otto',
    ]);
    const id = await send({ ...input, expectedRecipients: data.previewMailing.recipients });
    const mails = await findMails(id);
    expect(mails.map(({ recipient }) => recipient).sort()).toEqual([
      'nora@example.org',
      'otto@example.org',
    ]);
    expect(mails[0]?.text).toBe(
      'See you soon.\n\nYou receive this email because you have a ticket for Summer party, or bought one.\n',
    );
    const { data: listed } = await app.graphql(
      `query ($id: ID!) { mails(filter: { mailingId: $id }) { nodes { priority recipient } } }`,
      { id },
      manager,
    );
    expect(listed.mails.nodes).toHaveLength(2);
    expect(listed.mails.nodes[0].priority).toBe('BULK');
  });
});

describe('a mailing is rejected', () => {
  it('with more than 10 % more recipients than expected, with none, and above the limit per hour', async () => {
    const { planId, addMember } = await makePlan(10);
    const input = toMembers(planId);
    expect(getReasons(await create({ ...input, expectedRecipients: 9 }))).toEqual([
      'RECIPIENTS_GREW',
    ]);
    await addMember('Late');
    expect(await send({ ...input, expectedRecipients: 10 })).toEqual(expect.any(String));
    const { planId: empty } = await makePlan(0);
    const nobody = { ...toMembers(empty), expectedRecipients: 1 };
    expect(getReasons(await create(nobody))).toEqual(['NO_RECIPIENTS']);
    const token = { token: await app.token('mailings:write') };
    for (let n = 0; n < 20; n += 1)
      expect(getReasons(await create(nobody, token))).toEqual(['NO_RECIPIENTS']);
    expect(getReasons(await create(nobody, token))).toEqual(['TOO_MANY_ATTEMPTS']);
  });

  it.each([
    ['an unknown variable', { body: 'Hello {{nmae}},' }, 'body'],
    ['a variable in the subject', { subject: 'Hello {{name}}' }, 'body'],
    ['the names of attendees', { audience: 'ATTENDEES', eventId: v7() }, 'body'],
    ['attendees of no event', { audience: 'ATTENDEES', body: 'Hello' }, 'audience'],
    ['members and an event', { eventId: v7() }, 'audience'],
    ['a long subject', { subject: 'x'.repeat(201) }, 'subject'],
    ['a long body', { body: 'x'.repeat(20_001) }, 'body'],
  ])('with %s', async (_, change, field) => {
    const { errors } = await preview({ ...MESSAGE, audience: 'MEMBERS', ...change });
    expect(errors[0]?.extensions).toMatchObject({ reason: 'INVALID_INPUT', fields: [{ field }] });
  });

  it('for an unknown event, plan and location', async () => {
    const inputs = [
      { ...MESSAGE, body: 'x', audience: 'ATTENDEES', eventId: v7() },
      { ...MESSAGE, audience: 'MEMBERS', planId: v7() },
      { ...MESSAGE, audience: 'MEMBERS', locationId: v7() },
    ];
    for (const input of inputs) {
      expect(getReasons(await preview(input))).toEqual(['NOT_FOUND']);
      expect(getReasons(await create({ ...input, expectedRecipients: 1 }))).toEqual(['NOT_FOUND']);
    }
  });
});

describe('a token', () => {
  it('sees names and addresses of recipients only with the scope to read them', async () => {
    const { planId } = await makePlan(1);
    const read = async (...scopes: string[]) => {
      const { data } = await preview(toMembers(planId), { token: await app.token(...scopes) });
      const { recipients, sample, text } = data.previewMailing;
      return { recipients, sample, isNamed: text.includes('Member 0') };
    };
    expect(await read('mailings:write')).toEqual({ recipients: 1, sample: null, isNamed: false });
    expect(await read('mailings:write', 'members:read')).toMatchObject({
      sample: [{ name: 'Member 0' }],
      isNamed: true,
    });
  });
});
