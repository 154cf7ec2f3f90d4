import { v7 } from 'uuid';
import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import { readCalendarMails, sendInBatches } from '../../support/clients/calendar-mails.ts';
import { makeMember, signInFrontDesk } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import { bookingCalls, makeSpace, march } from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let staff: ReturnType<typeof bookingCalls>;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  staff = bookingCalls(app, await signInFrontDesk(app));
  app.clock.now = NOW;
  await catchUp(app.ctx, mailReader); // registers the reader
});
afterAll(() => app.stop());

describe('a closure', () => {
  const run = async (name: string, input: object, payload: string) => {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`;
    const text = `mutation ($input: ${type}) { ${name}(input: $input) { ${payload} } }`;
    const { data, errors } = await app.graphql(text, { input }, { cookie: owner });
    expect(errors).toEqual([]);
    return data[name];
  };
  const announce = (id: string, more: object = {}) =>
    run('announceClosure', { id, ...more }, 'bookingCount cancelledCount');
  let owner: string;
  beforeAll(async () => {
    await app.ctx.db.user.create({
      data: { name: 'Olga', email: 'olga@example.org', role: 'owner', wantsRequestEmails: false },
    });
    owner = await app.signIn('olga@example.org');
  });

  /** Two bookings of a member and one of a guest on two days, and one on the day after. */
  async function makeClosure() {
    const { room, location, addRoom } = await makeSpace(app, { freeCancellationHours: 72 });
    const suite = await addRoom({ name: 'Suite' });
    const plan = await app.ctx.db.plan.create({ data: { name: `Rooms ${v7()}` } });
    await app.ctx.db.planBenefit.create({
      data: { planId: plan.id, resourceType: 'room', includedHours: 1 },
    });
    const { id: memberId, email } = await makeMember(app);
    await app.ctx.db.membership.create({
      data: { planId: plan.id, memberId, startsOn: new Date('2026-03-01') },
    });
    const guest = { name: 'Greta Guest', email: `${v7()}@example.org` };
    const make = async (resourceId: string, day: number, hour: number, holder: object) => {
      const times = march(day, `${hour}:00`, `${hour + 1}:00`);
      const { data } = await staff.create({ resourceId, ...times, ...holder });
      return data.createBooking.booking.id as string;
    };
    const inside = [
      await make(room.id, 19, 10, { memberId, title: 'Planning' }),
      await make(suite.id, 20, 12, { memberId }),
      await make(room.id, 20, 14, { guest }),
    ];
    const outside = await make(room.id, 23, 10, { memberId });
    await readCalendarMails(app);
    const days = { startsOn: '2026-03-19', endsOn: '2026-03-22' };
    const input = { locationId: location.id, ...days, reason: 'New floor' };
    const { closure } = await run('createClosure', input, 'closure { id }');
    return { id: closure.id as string, inside, outside, email, guest, memberId };
  }

  const readTexts = async () => {
    await catchUp(app.ctx, mailReader);
    await sendInBatches(app);
    const rows = await app.ctx.db.mail.findMany({ orderBy: { id: 'asc' } });
    await app.ctx.db.mail.deleteMany();
    expect(new Set(rows.map(({ recipient }) => recipient)).size).toBe(rows.length);
    return new Map(rows.map((row) => [row.recipient, row]));
  };

  it('is announced to each holder once, also on a double click, and later to new ones', async () => {
    const { id, email, guest, inside, memberId } = await makeClosure();
    const message = 'Our other house is open.';
    const results = await Promise.all([announce(id, { message }), announce(id, { message })]);
    expect(results.map(({ bookingCount }) => bookingCount).sort()).toEqual([0, 3]);
    const mails = await readTexts();
    expect([...mails.keys()].sort()).toEqual([email, guest.email].sort());
    expect(mails.get(email)?.subject).toBe(
      'House is closed: Thursday, 19 March 2026 to Sunday, 22 March 2026',
    );
    expect(mails.get(email)?.text).toContain(`(New floor).

Our other house is open.

You have bookings on these days, which we have not cancelled. Please reschedule or cancel them, or contact us.

Thursday, 19 March 2026, 10:00 to 11:00 (Berlin time), Room
Friday, 20 March 2026, 12:00 to 13:00 (Berlin time), Suite
`);
    expect(await announce(id)).toEqual({ bookingCount: 0, cancelledCount: 0 });
    expect(await readTexts()).toEqual(new Map());
    const { resourceId } = await app.ctx.db.booking.findUniqueOrThrow({
      where: { id: inside[0] ?? '' },
    });
    await staff.create({
      ...{ resourceId, memberId, override: true },
      ...march(20, '16:00', '17:00'),
    });
    await readTexts();
    expect(await announce(id)).toEqual({ bookingCount: 1, cancelledCount: 0 });
    expect((await readTexts()).get(email)?.text).not.toContain('10:00');
  });

  it('cancels the bookings as the house, with one email to each holder', async () => {
    const { id, email, guest, inside, outside } = await makeClosure();
    await announce(id);
    await readTexts();
    expect(await announce(id, { cancelBookings: true })).toEqual({
      ...{ bookingCount: 3, cancelledCount: 3 },
    });
    const mails = await readCalendarMails(app);
    const rows = await app.ctx.db.booking.findMany({
      where: { id: { in: [...inside, outside] } },
      orderBy: { startsAt: 'asc' },
    });
    expect(
      rows.map(({ status, cancelFee, cancelReason, includedMinutes }) => [
        ...[status, cancelFee, cancelReason, includedMinutes],
      ]),
    ).toEqual([
      ['cancelled', 0, 'New floor', 0],
      ['cancelled', 0, 'New floor', 0],
      ['cancelled', 0, 'New floor', 0],
      ['confirmed', null, null, 0],
    ]);
    expect(
      mails.map(({ recipient, method, entries }) => [recipient, method, entries.length]),
    ).toEqual(
      expect.arrayContaining([
        [email, 'CANCEL', 2],
        [guest.email, 'CANCEL', 1],
      ]),
    );
    expect(mails).toHaveLength(2);
    expect(mails.find(({ recipient }) => recipient === email)?.text).toContain(
      'We have cancelled your bookings on these days. You pay no fee, and hours of your plan are returned.',
    );
    for (const { entries } of mails)
      expect(entries.every(({ status }) => status === 'CANCELLED')).toBe(true);
  });

  it('announces bookings that have started once, and does not count them as cancelled', async () => {
    const { id } = await makeClosure();
    app.clock.now = new Date('2026-03-19T09:30:00Z');
    const cancelBookings = true;
    expect(await announce(id, { cancelBookings })).toEqual({ bookingCount: 3, cancelledCount: 2 });
    await sendInBatches(app); // cancels the other two
    expect(await announce(id, { cancelBookings })).toEqual({ bookingCount: 0, cancelledCount: 0 });
    await catchUp(app.ctx, mailReader);
    await app.ctx.db.mail.deleteMany();
    app.clock.now = NOW;
  });

  it('is announced by staff only', async () => {
    const { id } = await makeClosure();
    const member = await makeMember(app);
    const text = 'mutation ($id: ID!) { announceClosure(input: { id: $id }) { bookingCount } }';
    const { errors } = await app.graphql(text, { id }, await member.signedIn());
    expect(errors[0]?.extensions.reason).toBe('STAFF_ONLY');
    expect(await readTexts()).toEqual(new Map());
  });
});
