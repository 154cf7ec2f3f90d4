import { publishRecordedChanges } from '../../../src/features/webhooks/service/publish-changes.ts';
import {
  DELETED_PERSON,
  enqueueEmail,
  toEmailRow,
} from '../../../src/integrations/email/outbox.ts';
import type { Credential } from '../../support/clients/api.ts';
import { makeMember } from '../../support/factories/people.ts';
import {
  createPersonalDataActions,
  makeWebhook,
  readAllRows,
  readTotals,
  readWithoutUses,
  SUMMARY,
  search,
  toRecord,
} from '../../support/factories/personal-data.ts';
import { leaveTraces, NEW_EMAIL } from '../../support/factories/traces.ts';
import { startStripe, type TestStripe } from '../../support/fakes/stripe.ts';
import { STAFF, startApp, type TestApp } from '../../support/harness/app.ts';

const EXPORT =
  'mutation ($input: ExportPersonalDataInput!) { exportPersonalData(input: $input) { fileName json } }';

let app: TestApp;
let stripe: TestStripe;
let manager: Credential;
let personalData: ReturnType<typeof createPersonalDataActions>;

beforeAll(async () => {
  stripe = await startStripe();
  app = await startApp({ config: stripe.config });
  manager = { cookie: await app.signIn(STAFF.manager) };
  personalData = createPersonalDataActions(app, manager);
  await makeWebhook(app);
});
afterAll(async () => {
  await app.stop();
  await stripe.stop();
});

describe('erasing a person', () => {
  const name = "Zerlina O'Quärk";
  const email = 'Zerlina.Quark@example.net';
  const needles = ['zerlina', 'quärk', 'quark@', '7654321', 'Quarkweg', 'Quark & ', 'Quarkstadt'];
  let traces: Awaited<ReturnType<typeof leaveTraces>>;

  beforeAll(async () => {
    traces = await leaveTraces({ app, manager, personalData }, { name, email });
  });

  it('starts with a list of the stored data by table', async () => {
    const summary = await personalData.send(SUMMARY, { person: { email } });
    expect(summary).toMatchObject({
      emails: [email.toLowerCase()],
      memberIds: [traces.memberId],
      names: [name],
      // The new address is not confirmed, so its data is included only on request.
      otherEmails: [NEW_EMAIL],
      openBookings: 3,
      openMemberships: 1,
    });
    expect(Object.keys(toRecord(summary.counts))).toEqual([
      ...['bookings', 'calendar_feeds', 'changes', 'check_ins', 'day_passes', 'known_browsers'],
      ...['lookup_handles', 'mail_budgets', 'mails', 'member_email_changes', 'members'],
      ...['memberships', 'orders', 'payments', 'refunds', 'sessions'],
      ...['sign_in_links', 'tickets', 'users', 'waitlist_entries'],
    ]);
  });

  it('is rejected with future bookings or a membership, and changes nothing', async () => {
    const before = await readWithoutUses(app.database);
    const { errors } = await personalData.erase({ email });
    expect(errors[0]?.extensions).toMatchObject({
      code: 'CONFLICT',
      reason: 'CONTRACTS_OPEN',
      bookings: 3,
      memberships: 1,
    });
    expect(await readWithoutUses(app.database)).toEqual(before);
  });

  it('exports everything in one file, without codes and secrets', async () => {
    const { fileName, json } = await personalData.send(EXPORT, {
      input: { memberId: traces.memberId },
    });
    expect(fileName).toBe('personal-data-2026-03-18.json');
    const file = JSON.parse(json);
    expect(file).toMatchObject({
      format: 'foyer-personal-data-1',
      person: { emails: [email.toLowerCase()], names: [name] },
    });
    expect(Object.keys(file.data).sort()).toEqual([
      ...['accounts', 'bookings', 'browsers', 'calendar_feeds', 'changes', 'check_ins'],
      ...[
        'day_passes',
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
      expect.objectContaining({
        name,
        phone: '+49 30 7654321',
        company: 'Quark & Söhne',
        address: 'Quarkweg 7',
      }),
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

  it('does not change totals and leaves the name and address nowhere', async () => {
    const [books, before] = [await readTotals(app.database), await readAllRows(app.database)];
    const { data, errors } = await personalData.erase({
      email,
      endContracts: true,
      reason: `${name} asked for it by letter`,
    });
    expect(errors).toEqual([]);
    expect(toRecord(data.erasePersonalData.erasure.counts)).toMatchObject({
      ...{ members: 1, users: 1, orders: 2, tickets: 3, day_passes: 1, bookings: 3 },
      ...{ check_ins: 2, waitlist_entries: 1, provider_events: 2, calendar_feeds: 1 },
      ...{ member_email_changes: 1, mail_budgets: 2, known_browsers: 1, sessions: 1 },
    });
    expect(data.erasePersonalData.otherEmails).toEqual([NEW_EMAIL]);
    await publishRecordedChanges(app.ctx);
    expect(await search(app.database, ...needles)).toEqual([]);
    expect(await readTotals(app.database)).toEqual(books);

    // The data of others is unchanged.
    const after = new Set((await readAllRows(app.database)).map(({ row }) => row));
    const strangers = before.filter(({ row, table }) => {
      const isHers =
        needles.some((it) => row.toLowerCase().includes(it.toLowerCase())) ||
        [traces.memberId, traces.userId, traces.orderId].some((id) => row.includes(id));
      return !isHers && !after.has(row) && !/^(display|journal_|rate_limits|webhook_)/.test(table);
    });
    expect(strangers.map(({ table, row }) => `${table} ${row}`)).toEqual([]);
    expect(await search(app.database, 'kim@example.org')).not.toEqual([]);
  });

  it('ends sessions and feeds, and keeps tickets of future events valid', async () => {
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

  it('keeps changes in the journal without the values, and records its own without the names', async () => {
    const { db } = app.ctx;
    const { memberId, orderId } = traces;
    const subjects = [
      ...(await db.refund.findMany({ where: { orderId } })),
      ...(await db.checkIn.findMany({ where: { memberId } })),
      ...(await db.waitlistEntry.findMany({ where: { name: DELETED_PERSON } })),
      ...(await db.ticket.findMany({ where: { orderId, attendeeName: DELETED_PERSON } })),
    ];
    const changes = await db.change.findMany({
      where: { subjectId: { in: subjects.map(({ id }) => id) } },
      orderBy: { sequence: 'asc' },
    });
    const erased = ['check_in.erased', 'refund.erased', 'ticket.erased', 'waitlist_entry.erased'];
    expect(new Set(changes.map(({ type }) => type))).toEqual(
      new Set([
        ...['ticket.issued', 'refund.created', 'waitlist_entry.created', 'check_in.admitted'],
        ...[...erased, 'waitlist_entry.withdrawn'],
      ]),
    );
    for (const { type, before, after, redacted } of changes) {
      expect([type, redacted]).toEqual([type, type !== 'waitlist_entry.withdrawn']);
      expect([type, before === null]).toEqual([type, /issued|created|admitted/.test(type)]);
      expect([type, after === null]).toEqual([type, false]);
    }
  });

  it('is recorded with its actor and without data of the person', async () => {
    const { data } = await app.graphql(
      '{ erasures(first: 1) { edges { node { requestedBy { name } reason counts { table } } } } }',
      {},
      manager,
    );
    expect(data.erasures.edges[0].node).toMatchObject({
      requestedBy: { name: expect.any(String) },
      reason: `${DELETED_PERSON} asked for it by letter`,
    });
  });

  it('sends no more emails to the person', async () => {
    const { db } = app.ctx;
    const before = await db.mail.count();
    const to =
      (await db.order.findUniqueOrThrow({ where: { id: traces.orderId } })).buyerEmail ?? '';
    await enqueueEmail(app.ctx, { to, subject: 'x', text: 'x' });
    await db.mail.createMany({ data: [toEmailRow({ to, subject: 'x', text: 'x' }, app.ctx)] });
    expect(await db.mail.count()).toBe(before);
  });

  it('finds nothing a second time', async () => {
    const { errors } = await personalData.erase({ email });
    expect(errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', reason: 'NOTHING_STORED' });
  });

  it('includes emails to an unconfirmed address on request', async () => {
    expect(await search(app.database, NEW_EMAIL)).toHaveLength(2);
    expect((await personalData.erase({ email: NEW_EMAIL })).errors).toEqual([]);
    expect(await search(app.database, NEW_EMAIL)).toEqual([]);
  });
});

it('is rejected for a member who has only a current membership, until it may be ended', async () => {
  const { db } = app.ctx;
  const { id: memberId, email } = await makeMember(app);
  const plan = await db.plan.findFirstOrThrow();
  const membership = { planId: plan.id, memberId, startsOn: new Date('2026-01-01') };
  const { id } = await db.membership.create({ data: membership });
  const { errors } = await personalData.erase({ memberId });
  expect(errors[0]?.extensions).toMatchObject({
    reason: 'CONTRACTS_OPEN',
    bookings: 0,
    memberships: 1,
  });
  expect(await db.member.findUniqueOrThrow({ where: { id: memberId } })).toMatchObject({ email });
  expect((await personalData.erase({ memberId, endContracts: true })).errors).toEqual([]);
  expect((await db.membership.findUniqueOrThrow({ where: { id } })).endsOn).not.toBeNull();
});
