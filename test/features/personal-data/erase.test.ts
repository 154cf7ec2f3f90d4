import { v7 } from 'uuid';
import { hashPassword } from '../../../src/auth/passwords.ts';
import { processProviderEvents } from '../../../src/features/payments/process-provider-event.ts';
import { drainOutbox } from '../../../src/features/webhooks/drain-outbox.ts';
import { deliverEmails as deliverMails } from '../../../src/integrations/email/delivery-worker.ts';
import {
  DELETED_PERSON,
  enqueueEmail,
  toEmailRow,
} from '../../../src/integrations/email/outbox.ts';
import { type Credential, STAFF, signIn, startApp, type TestApp } from '../../support/app.ts';
import { makeEvent, placed, post } from '../../support/events.ts';
import { deliver } from '../../support/payments.ts';
import { readBooks, readEverything, readWithoutUses, search } from '../../support/personal-data.ts';
import { NOW, PASSWORD } from '../../support/seed.ts';
import { makeMember, makeSpace, march } from '../../support/space.ts';
import { startStripe, stripeEvent, type TestStripe } from '../../support/stripe.ts';

const ERASE = `mutation ($input: ErasePersonalDataInput!) { erasePersonalData(input: $input) {
  id counts { table count } mentions { table id } otherEmails } }`;
const SUMMARY = `query ($person: DataSubjectInput!) { personalData(person: $person) { emails memberIds names otherEmails
  counts { table count } openBookings openMemberships mentions { table id } } }`;
const EXPORT =
  'mutation ($input: DataSubjectInput!) { exportPersonalData(input: $input) { fileName json } }';

let app: TestApp;
let stripe: TestStripe;
let manager: Credential;

beforeAll(async () => {
  stripe = await startStripe();
  app = await startApp({ config: stripe.config });
  manager = { cookie: await app.signIn(STAFF.manager) };
  await app.ctx.db.webhookEndpoint.create({
    data: {
      url: 'https://receiver.test/',
      events: ['*'],
      secret: 'whsec_test',
      ownerKind: 'system',
    },
  });
});
afterAll(async () => {
  await app.stop();
  await stripe.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
async function ask(query: string, variables: object, as: Credential = manager): Promise<any> {
  const { data, errors } = await app.graphql(query, variables, as);
  if (errors[0]) throw new Error(JSON.stringify(errors[0]));
  return Object.values(data)[0];
}
const erase = (input: object) => app.graphql(ERASE, { input }, manager);
const toRecord = (counts: { table: string; count: number }[]) =>
  Object.fromEntries(counts.map(({ table, count }) => [table, count]));

/** The address that is to replace the person's own, once it is confirmed. */
const NEW_EMAIL = 'neue.adresse@example.net';

/** What somebody leaves behind in a year, through the API wherever there is one. */
async function leaveTraces({ name, email }: { name: string; email: string }) {
  const { db } = app.ctx;
  const { location, room } = await makeSpace(app);
  const member = await ask(
    'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
    { input: { name, email, phone: '+49 30 7654321', company: 'Quark & Söhne' } },
  );
  const memberId = member.id as string;
  await app.graphql('mutation ($email: String!) { requestSignInLink(email: $email) }', { email });
  const { id: userId } = await db.user.create({
    data: {
      ...{ name, email: email.toLowerCase(), memberId },
      passwordHash: await hashPassword(PASSWORD),
    },
  });
  const self = { cookie: await signIn(app.url, email.toLowerCase(), PASSWORD) };
  const plan = await db.plan.findFirstOrThrow();
  await db.membership.create({
    data: { planId: plan.id, memberId, startsOn: new Date('2026-01-01') },
  });

  const book = (input: object, as = manager) =>
    ask(
      'mutation ($input: BookingInput!) { createBooking(input: $input) { id } }',
      { input: { resourceId: room.id, ...input } },
      as,
    );
  await book({ ...march(19, '09:00', '10:00'), memberId, title: `${name}: interviews` });
  await book({ ...march(20, '09:00', '10:00'), memberId }, self);
  await book({ ...march(19, '11:00', '12:00'), guest: { name, email }, notes: `Call ${name}` });
  await db.calendarFeed.create({
    data: { hash: Buffer.from(v7()), prefix: 'foyerc_abcdef', memberId },
  });

  const event = await makeEvent(app, { locationId: location.id, types: [{}, { quantity: 0 }] });
  const order = await placed(
    app,
    event.id,
    [
      {
        ticketTypeId: event.type,
        quantity: 3,
        attendees: [{ name }, { name: 'Kim Other', email: 'kim@example.org' }],
      },
    ],
    { buyer: { name, email: email.toUpperCase() }, key: `order-${v7()}` },
  );
  await deliver(
    app,
    stripeEvent('checkout.session.completed', {
      id: `cs_${order.id}`,
      object: 'checkout.session',
      client_reference_id: order.id,
      payment_intent: `pi_${order.id}`,
      payment_status: 'paid',
      amount_total: 3_000,
      currency: 'eur',
      customer_details: {
        email: 'other.quark@example.com',
        name: 'O. Quark',
        address: { line1: 'Quarkweg 7' },
      },
    }),
  );
  await deliver(
    app,
    stripeEvent('charge.succeeded', {
      id: `ch_${order.id}`,
      object: 'charge',
      payment_intent: `pi_${order.id}`,
      billing_details: { name: 'O. Quark', address: { line1: 'Quarkweg 7' } },
      receipt_email: email,
    }),
  );
  await processProviderEvents(app.ctx);
  await ask('mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { id } }', {
    input: { orderId: order.id, amount: 500, reason: `${name} wrote that she was ill` },
  });
  await placed(app, event.id, [
    { ticketTypeId: event.type, quantity: 1, attendees: [{ name, email }] },
  ]);
  await app.graphql(
    'mutation ($input: JoinWaitlistInput!) { joinWaitlist(input: $input) { quantity } }',
    { input: { ticketTypeId: event.types[1], quantity: 1, name, email } },
  );
  const type = await db.dayPassType.create({
    data: { name: `Flex ${v7()}`, priceAmount: 0, locationId: location.id },
  });
  await post(app, '/public/day-passes/orders', {
    buyer: { name, email },
    day_pass_type_id: type.id,
    valid_on: '2026-03-18',
  });
  await post(app, '/public/orders/find', { email });

  const checkIn = (input: object) =>
    ask('mutation ($input: CheckInInput!) { checkIn(input: $input) { result } }', {
      input: { locationId: location.id, ...input },
    });
  const pass = await db.dayPass.findFirstOrThrow({ where: { typeId: type.id } });
  expect(await checkIn({ memberId })).toEqual({ result: 'ADMITTED' });
  expect(await checkIn({ code: pass.code })).toEqual({ result: 'ADMITTED' });
  await post(app, '/public/member-lookup', { location_id: location.id, query: email });
  // Mails to others speak of her, too.
  const host = await makeMember(app);
  await enqueueEmail(app.ctx, {
    to: host.email,
    subject: `${name} is here to see you`,
    text: `${name} has arrived. Write to ${email}.`,
    html: `<p>${name.replaceAll("'", '&#39;')} has arrived.</p>`,
  });
  await ask(
    'mutation ($id: ID!, $input: UpdateMemberInput!) { updateMember(id: $id, input: $input) { id } }',
    { id: memberId, input: { email: NEW_EMAIL } },
  );
  await deliverMails(app.ctx, { send: async () => {}, close: () => {} });
  await drainOutbox(app.ctx);
  return { memberId, userId, orderId: order.id as string };
}

describe('erasing a person', () => {
  const name = "Zerlina O'Quärk";
  const email = 'Zerlina.Quark@example.net';
  const needles = ['zerlina', 'quärk', 'quark@', '7654321', 'Quarkweg', 'Quark & '];
  let traces: Awaited<ReturnType<typeof leaveTraces>>;

  beforeAll(async () => {
    traces = await leaveTraces({ name, email });
  });

  it('starts with what is stored, table by table', async () => {
    const summary = await ask(SUMMARY, { person: { email } });
    expect(summary).toMatchObject({
      emails: [email.toLowerCase()],
      memberIds: [traces.memberId],
      names: [name],
      // Nobody has confirmed yet that it is hers: what bears it is searched for only when asked for.
      otherEmails: [NEW_EMAIL],
      openBookings: 3,
      openMemberships: 1,
    });
    expect(Object.keys(toRecord(summary.counts))).toEqual([
      ...['bookings', 'calendar_feeds', 'check_ins', 'day_passes', 'known_browsers'],
      ...['lookup_handles', 'mail_budgets', 'mails', 'member_email_changes', 'members'],
      ...['memberships', 'orders', 'payments', 'refunds', 'sessions'],
      ...['sign_in_links', 'tickets', 'users', 'waitlist_entries'],
    ]);
  });

  it('is refused while there are bookings to come or a membership, and then changes nothing', async () => {
    const before = await readWithoutUses(app.database);
    const { errors } = await erase({ email });
    expect(errors[0]?.extensions).toMatchObject({
      code: 'CONFLICT',
      reason: 'CONTRACTS_OPEN',
      bookings: 3,
      memberships: 1,
    });
    expect(await readWithoutUses(app.database)).toEqual(before);
  });

  it('exports everything in one file, without codes and secrets', async () => {
    const { fileName, json } = await ask(EXPORT, { input: { memberId: traces.memberId } });
    expect(fileName).toBe('personal-data-2026-03-18.json');
    const file = JSON.parse(json);
    expect(file).toMatchObject({
      format: 'foyer-personal-data-1',
      person: { emails: [email.toLowerCase()], names: [name] },
    });
    expect(Object.keys(file.data).sort()).toEqual([
      ...['accounts', 'bookings', 'browsers', 'calendar_feeds', 'check_ins', 'day_passes'],
      ...[
        'email_changes',
        'emails',
        'member_lookups',
        'members',
        'memberships',
        'orders',
        'sessions',
        'sign_in_links',
      ],
      ...['tickets', 'waitlist_entries'],
    ]);
    expect(file.data.members).toEqual([
      expect.objectContaining({ name, phone: '+49 30 7654321', company: 'Quark & Söhne' }),
    ]);
    expect(file.data.email_changes).toEqual([expect.objectContaining({ email: NEW_EMAIL })]);
    expect(file.data.orders).toHaveLength(2);
    expect(file.data.tickets).toHaveLength(3);
    expect(json).not.toContain('kim@example.org');
    expect(json).not.toMatch(/foyer[a-z]?_[0-9A-Za-z]{8}/);
    for (const { code } of [
      await app.ctx.db.member.findUniqueOrThrow({ where: { id: traces.memberId } }),
      ...(await app.ctx.db.ticket.findMany({ where: { orderId: traces.orderId } })),
    ]) {
      expect(json).not.toContain(code);
    }
  });

  it('leaves the books as they were, and nowhere the name or the address', async () => {
    const [books, before] = [await readBooks(app.database), await readEverything(app.database)];
    const { data, errors } = await erase({
      email,
      endContracts: true,
      reason: `${name} asked for it by letter`,
    });
    expect(errors).toEqual([]);
    expect(toRecord(data.erasePersonalData.counts)).toMatchObject({
      ...{ members: 1, users: 1, orders: 2, tickets: 3, day_passes: 1, bookings: 3 },
      ...{ check_ins: 2, waitlist_entries: 1, provider_events: 2, calendar_feeds: 1 },
      ...{ member_email_changes: 1, mail_budgets: 2, known_browsers: 1, sessions: 1 },
    });
    expect(data.erasePersonalData.otherEmails).toEqual([NEW_EMAIL]);
    // What was recorded is published now.
    await drainOutbox(app.ctx);
    expect(await search(app.database, ...needles)).toEqual([]);
    expect(await readBooks(app.database)).toEqual(books);

    // Nothing of anybody else has changed.
    const after = new Set((await readEverything(app.database)).map(({ row }) => row));
    const strangers = before.filter(({ row, table }) => {
      const isHers =
        needles.some((it) => row.toLowerCase().includes(it.toLowerCase())) ||
        [traces.memberId, traces.userId, traces.orderId].some((id) => row.includes(id));
      return !isHers && !after.has(row) && !/^(display|rate_limits|webhook_)/.test(table);
    });
    expect(strangers.map(({ table, row }) => `${table} ${row}`)).toEqual([]);
    expect(await search(app.database, 'kim@example.org')).not.toEqual([]);
  });

  it('ends what ran, and keeps tickets of coming events valid', async () => {
    const { db } = app.ctx;
    const member = await db.member.findUniqueOrThrow({ where: { id: traces.memberId } });
    expect(member).toMatchObject({
      ...{ name: DELETED_PERSON, status: 'former', phone: null, company: null, teamId: null },
      email: expect.stringMatching(/^deleted-[0-9a-f-]{36}@deleted\.invalid$/),
    });
    expect(await db.membership.findFirst({ where: { memberId: member.id } })).toMatchObject({
      endsOn: new Date('2026-03-18'),
    });
    const bookings = await db.booking.findMany({ where: { memberId: member.id } });
    expect(bookings.map(({ status, cancelFee }) => [status, cancelFee])).toEqual([
      ['cancelled', 0],
      ['cancelled', 0],
    ]);
    const tickets = await db.ticket.findMany({
      where: { orderId: traces.orderId },
      orderBy: { position: 'asc' },
    });
    expect(tickets.map(({ status, attendeeName }) => [status, attendeeName])).toEqual([
      ['valid', DELETED_PERSON],
      ['valid', 'Kim Other'],
      ['valid', DELETED_PERSON],
    ]);
    expect(
      await db.waitlistEntry.count({ where: { status: 'waiting', name: DELETED_PERSON } }),
    ).toBe(0);
  });

  it('records that it happened, by whom, and nothing about the person', async () => {
    const { data } = await app.graphql(
      '{ erasures(first: 1) { edges { node { erasedBy reason counts { table } } } } }',
      {},
      manager,
    );
    expect(data.erasures.edges[0].node).toMatchObject({
      erasedBy: expect.any(String),
      reason: `${DELETED_PERSON} asked for it by letter`,
    });
  });

  it('writes no more mails to who was erased', async () => {
    const { db } = app.ctx;
    const before = await db.mail.count();
    const to = (await db.order.findUniqueOrThrow({ where: { id: traces.orderId } })).buyerEmail;
    await enqueueEmail(app.ctx, { to, subject: 'x', text: 'x' });
    await db.mail.createMany({ data: [toEmailRow({ to, subject: 'x', text: 'x' }, app.ctx)] });
    expect(await db.mail.count()).toBe(before);
  });

  it('finds nothing a second time', async () => {
    const { errors } = await erase({ email });
    expect(errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', reason: 'NOTHING_STORED' });
  });

  it('takes what was sent to an unconfirmed address when asked for it', async () => {
    expect(await search(app.database, NEW_EMAIL)).toHaveLength(2);
    expect((await erase({ email: NEW_EMAIL })).errors).toEqual([]);
    expect(await search(app.database, NEW_EMAIL)).toEqual([]);
  });
});

describe('erasing', () => {
  it.each([
    ['nobody', {}],
    ['an address and a name', { email: 'a@example.org', name: 'A' }],
    ['a date without a name', { email: 'a@example.org', date: '2026-03-18' }],
  ])('is refused for %s', async (_, input) => {
    const { errors } = await erase(input);
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', reason: 'INVALID_INPUT' });
  });

  it('finds visitors and guests without an address by their whole name, and by the day', async () => {
    const { db } = app.ctx;
    const { location, room } = await makeSpace(app);
    const host = await makeMember(app);
    const visit = (label: string, day: string) =>
      db.checkIn.create({
        data: {
          ...{ locationId: location.id, result: 'admitted', subject: 'visitor', label },
          ...{ hostId: host.id, actor: 'system' },
          occurredAt: new Date(`${day}T09:00:00Z`),
          autoCheckOutAt: new Date(`${day}T17:00:00Z`),
          checkedOutAt: new Date(`${day}T17:00:00Z`),
        },
      });
    const [first, second, other] = [
      await visit('Vera Visitor', '2026-03-02'),
      await visit('vera visitor ', '2026-03-03'),
      await visit('Vera Visitorova', '2026-03-02'),
    ];
    const booking = await db.booking.create({
      data: {
        ...{ resourceId: room.id, locationId: location.id, guestName: 'Vera Visitor' },
        startsAt: new Date('2026-03-02T09:00:00Z'),
        endsAt: new Date('2026-03-02T10:00:00Z'),
        occupiedUntil: new Date('2026-03-02T10:00:00Z'),
      },
    });
    const labels = async () =>
      (
        await db.checkIn.findMany({ where: { locationId: location.id }, orderBy: { id: 'asc' } })
      ).map(({ label }) => label);
    const found = await ask(SUMMARY, { person: { name: 'Vera Visitor', date: '2026-03-02' } });
    expect(toRecord(found.counts)).toEqual({ bookings: 1, check_ins: 1 });
    await ask(ERASE, { input: { name: 'Vera Visitor', date: '2026-03-02' } });
    expect([first.label, second.label, other.label]).not.toContain(DELETED_PERSON);
    expect(await labels()).toEqual([DELETED_PERSON, 'vera visitor ', 'Vera Visitorova']);
    expect(await db.booking.findUnique({ where: { id: booking.id } })).toMatchObject({
      guestName: DELETED_PERSON,
    });
    await ask(ERASE, { input: { name: 'vera visitor' } });
    expect(await labels()).toEqual([DELETED_PERSON, DELETED_PERSON, 'Vera Visitorova']);
  });

  it('leaves texts for everybody as they are, and says where they name the person', async () => {
    const member = await makeMember(app, { name: 'Wanda Welcome' });
    const { id } = await app.ctx.db.announcement.create({
      data: { title: 'Say hello to Wanda Welcome', startsAt: NOW },
    });
    const { mentions } = await ask(ERASE, { input: { memberId: member.id } });
    expect(mentions).toEqual([{ table: 'announcements', id }]);
  });

  it('names the other addresses of a member, which are erased by a request of their own', async () => {
    const member = await makeMember(app, { name: 'Paula Private' });
    const event = await makeEvent(app);
    const { id } = await placed(app, event.id, [{ ticketTypeId: event.type, quantity: 1 }], {
      buyer: { name: 'Paula Private', email: 'paula@work.example' },
    });
    await app.ctx.db.order.update({ where: { id }, data: { memberId: member.id } });
    const { otherEmails } = await ask(ERASE, { input: { memberId: member.id } });
    expect(otherEmails).toEqual(['paula@work.example']);
    await ask(ERASE, { input: { email: 'paula@work.example' } });
    expect(await search(app.database, 'paula')).toEqual([]);
  });

  it('of many requests at once for one person, each succeeds or finds nothing', async () => {
    const member = await makeMember(app, { name: 'Ramona Race' });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => erase({ email: member.email })),
    );
    const codes = answers.flatMap((answer) => answer.codes);
    expect(codes).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
  });
});
