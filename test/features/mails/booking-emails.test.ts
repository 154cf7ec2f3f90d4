import ICAL from 'ical.js';
import { v7 } from 'uuid';
import { releaseNoShows } from '../../../src/features/bookings/service/check-in-booking.ts';
import { sendClosureEmails } from '../../../src/features/notifications/service/closure-emails.ts';
import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { reportRequests } from '../../../src/features/notifications/service/request-emails.ts';
import { importBookings } from '../../../src/imports/import-bookings.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import type { Credential } from '../../support/clients/api.ts';
import { createStaffUser, makeMember, signInFrontDesk } from '../../support/factories/people.ts';
import { NOW } from '../../support/factories/seed.ts';
import {
  type BookingRequest,
  bookingCalls,
  makeSpace,
  march,
} from '../../support/factories/space.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let desk: Credential;
let staff: ReturnType<typeof bookingCalls>;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  desk = await signInFrontDesk(app);
  staff = bookingCalls(app, desk);
  await catchUp(app.ctx, mailReader); // registers the reader
});
beforeEach(async () => {
  app.clock.now = NOW;
  await catchUp(app.ctx, mailReader);
  await app.ctx.db.mail.deleteMany();
});
afterAll(() => app.stop());

interface Mail {
  recipient: string;
  subject: string;
  text: string;
  priority: string;
  method: string;
  content: string;
  entries: Entry[];
}

interface Entry {
  uid: string;
  sequence: number;
  status: string;
  start: string;
  summary: string;
  organizer: string;
  attendee: string;
}

/** Reads the journal and returns the emails since the last call, with their calendar files as another library reads them. */
async function readMails(): Promise<Mail[]> {
  await catchUp(app.ctx, mailReader);
  await sendInBatches();
  const { mail } = app.ctx.db;
  const rows = await mail.findMany({ orderBy: { id: 'asc' } });
  await mail.deleteMany();
  return rows.map(({ recipient, subject, text, priority, attachments }) => {
    const [file] = attachments as [{ method: string; content: string }];
    const calendar = new ICAL.Component(ICAL.parse(file.content));
    expect(calendar.getFirstPropertyValue('method')).toBe(file.method);
    return { recipient, subject, text, priority, ...file, entries: listEntries(calendar) };
  });
}

/** Two runs of the job at once, with one holder a batch. */
const sendInBatches = () => Promise.all([1, 2].map(() => sendClosureEmails(app.ctx, undefined, 1)));

const listEntries = (calendar: ICAL.Component): Entry[] =>
  calendar.getAllSubcomponents('vevent').map((component) => {
    const { uid, sequence, startDate, summary, organizer } = new ICAL.Event(component);
    return {
      ...{ uid, sequence, summary, organizer, start: startDate.toJSDate().toISOString() },
      status: String(component.getFirstPropertyValue('status')),
      attendee: String(component.getFirstPropertyValue('attendee')).toLowerCase(),
    };
  });

async function book(more: Partial<BookingRequest> = {}, as = staff) {
  const { room } = await makeSpace(app, { requiresApproval: true });
  const member = await makeMember(app);
  const input = { resourceId: room.id, memberId: member.id, ...march(20, '10:00', '12:00') };
  const { data } = await as.create({ ...input, ...more });
  return { room, member, id: data.createBooking.booking.id as string };
}

const confirm = (id: string) =>
  app.graphql(
    'mutation ($id: ID!) { confirmBooking(input: { id: $id }) { booking { id } } }',
    { id },
    desk,
  );

describe('the holder of a booking', () => {
  it('gets an email with a calendar entry about every change, also about their own', async () => {
    const { room } = await makeSpace(app, { requiresApproval: true });
    const member = await makeMember(app);
    const own = bookingCalls(app, await member.signedIn());
    const { data } = await own.create({
      ...{ resourceId: room.id, title: 'Planning; Q2' },
      ...march(20, '10:00', '12:00'),
    });
    const { id } = data.createBooking.booking;
    const [requested] = await readMails();
    await confirm(id);
    const [confirmed] = await readMails();
    await staff.reschedule(id, march(20, '14:00', '15:00'));
    const [moved] = await readMails();
    await own.cancel(id, { reason: 'Burst pipe' });
    const [cancelled, ...rest] = await readMails();

    expect(rest).toEqual([]);
    const time = 'Friday, 20 March 2026, 10:00 to 12:00 (Berlin time)';
    expect(requested?.subject).toBe(`We have received your request: Room, ${time}`);
    expect(confirmed).toMatchObject({
      recipient: member.email,
      subject: `Your booking is confirmed: Room, ${time}`,
      priority: 'essential',
      method: 'REQUEST',
    });
    expect(confirmed?.text).toMatch(
      new RegExp(`^Hello ${member.name},\n\nYour booking of Room at House is confirmed`),
    );
    expect(moved?.text).toContain(
      'New time: Friday, 20 March 2026, 14:00 to 15:00 (Berlin time)\nPrevious time: Friday, 20 March 2026, 10:00 to 12:00 (Berlin time)\n',
    );
    expect(cancelled).toMatchObject({ method: 'CANCEL' });
    expect(cancelled?.text).toContain('Reason: Burst pipe');

    const uid = `${id}@foyer.test`;
    const same = {
      ...{ uid, summary: 'Planning; Q2 (Room)', attendee: `mailto:${member.email}` },
      organizer: 'mailto:no-reply@foyer.test',
    };
    const at = (hour: string) => `2026-03-20T${hour}:00:00.000Z`;
    expect([requested, confirmed, moved, cancelled].map((mail) => mail?.entries)).toEqual([
      [{ ...same, sequence: 0, status: 'TENTATIVE', start: at('09') }],
      [{ ...same, sequence: 1, status: 'CONFIRMED', start: at('09') }],
      [{ ...same, sequence: 2, status: 'CONFIRMED', start: at('13') }],
      [{ ...same, sequence: 3, status: 'CANCELLED', start: at('13') }],
    ]);
  });

  it('gets an email that says from which resource to which a booking was moved', async () => {
    const { room, addRoom } = await makeSpace(app);
    const suite = await addRoom({ name: 'Suite', hourlyAmount: 3_000 });
    const { id: memberId } = await makeMember(app);
    const input = { resourceId: room.id, memberId, ...march(20, '10:00', '12:00') };
    const { id } = (await staff.create(input)).data.createBooking.booking;
    const target = { resourceId: suite.id };
    await staff.reschedule(id, march(20, '10:00', '12:00'), target);
    await staff.reschedule(id, march(20, '14:00', '15:00'), { resourceId: room.id });
    const [, moved, both, ...rest] = await readMails();
    expect(rest).toEqual([]);
    expect(moved?.text).toContain(`Your booking at House was moved from Room to Suite.

Time: Friday, 20 March 2026, 10:00 to 12:00 (Berlin time)

Price: €60.00`);
    expect(both?.text).toContain(`Your booking at House was moved from Suite to Room.

New time: Friday, 20 March 2026, 14:00 to 15:00 (Berlin time)
Previous time: Friday, 20 March 2026, 10:00 to 12:00 (Berlin time)

Price: €20.00`);
    expect(
      [moved, both].map((mail) => [
        ...[mail?.entries[0]?.sequence, mail?.entries[0]?.summary],
        mail?.content.match(/^LOCATION:(.*)$/m)?.[1]?.trim(),
      ]),
    ).toEqual([
      [1, 'Booking (Suite)', 'Suite\\, House'],
      [2, 'Booking (Room)', 'Room\\, House'],
    ]);
    // A series names the room of each booking.
    const series = { ...input, ...march(23, '10:00', '11:00'), rule: 'FREQ=DAILY;COUNT=2' };
    const [first, second] = (await staff.series(series)).data.createBookingSeries.bookingSeries
      .bookings;
    await staff.reschedule(second.id, march(24, '10:00', '11:00'), target);
    await staff.cancel(first.id, { scope: 'ALL' });
    const cancelled = (await readMails()).at(-1);
    expect(cancelled?.entries.map(({ summary }) => summary)).toEqual([
      'Booking (Room)',
      'Booking (Suite)',
    ]);
    expect(cancelled?.text).toMatch(/23 March 2026, .*, Room\n.*24 March 2026, .*, Suite\n/);
  });

  it('gets each email with the state as of its change, although the reader runs later', async () => {
    const { id } = await book();
    await staff.reschedule(id, march(20, '14:00', '15:00'));
    await staff.cancel(id);
    const mails = await readMails();
    expect(
      mails.map(({ entries: [entry] }) => [entry?.sequence, entry?.status, entry?.start]),
    ).toEqual([
      [0, 'CONFIRMED', '2026-03-20T09:00:00.000Z'],
      [1, 'CONFIRMED', '2026-03-20T13:00:00.000Z'],
      [2, 'CANCELLED', '2026-03-20T13:00:00.000Z'],
    ]);
  });

  it('still gets growing numbers after the journal and the emails were purged', async () => {
    const { id } = await book();
    await staff.reschedule(id, march(20, '14:00', '15:00'));
    await readMails();
    await app.ctx.db.change.deleteMany();
    await staff.cancel(id);
    expect((await readMails())[0]?.entries).toMatchObject([{ sequence: 2, status: 'CANCELLED' }]);
  });

  it('receives an email when a booking is released', async () => {
    const { id } = await book();
    await app.ctx.db.resource.updateMany({ data: { noShowMinutes: 10 } });
    await readMails();
    app.clock.now = new Date('2026-03-20T09:20:00Z');
    await releaseNoShows(app.ctx);
    const [mail] = await readMails();
    expect(mail?.subject).toMatch(/^Your booking was released: Room/);
    expect([mail?.method, mail?.entries[0]?.uid]).toEqual(['CANCEL', `${id}@foyer.test`]);
  });

  it('is emailed once if several processes read the journal', async () => {
    await book();
    await Promise.all([1, 2, 3].map(() => catchUp(app.ctx, mailReader)));
    expect(await readMails()).toHaveLength(1);
  });

  it('gets nothing if the template is switched off', async () => {
    const data = { key: 'booking-confirmed', disabledAt: NOW };
    await app.ctx.db.emailTemplate.create({ data });
    await book();
    expect(await readMails()).toEqual([]);
    await app.ctx.db.emailTemplate.deleteMany();
  });
});

describe('a series', () => {
  const makeSeries = async (count: number) => {
    const { room } = await makeSpace(app);
    const { id } = await makeMember(app);
    const input = { resourceId: room.id, memberId: id, ...march(19, '10:00', '11:00') };
    const { data } = await staff.series({ ...input, rule: `FREQ=WEEKLY;COUNT=${count}` });
    return data.createBookingSeries.bookingSeries.bookings as { id: string }[];
  };

  it('is one email with one file, and so is a change of it', async () => {
    const bookings = await makeSeries(8);
    const [created, ...others] = await readMails();
    expect(others).toEqual([]);
    expect(created?.subject).toMatch(
      /^Your booking is confirmed: Room, Thursday, 19 March 2026, .* and 7 more$/,
    );
    // A request is about one booking (RFC 5546, 3.2.2), and what is published has no attendees (3.2.1).
    expect(created?.method).toBe('PUBLISH');
    expect(created?.content).not.toContain('ATTENDEE');
    expect(created?.text.match(/^Thursday, .* 2026, 10:00 to 11:00/gm)).toHaveLength(8);
    expect(created?.entries.map(({ uid }) => uid)).toEqual(
      bookings.map(({ id }) => `${id}@foyer.test`),
    );
    await staff.cancel(bookings[2]?.id ?? '', { scope: 'FOLLOWING' });
    const [cancelled, ...rest] = await readMails();
    expect(rest).toEqual([]);
    expect(cancelled?.method).toBe('PUBLISH');
    expect(cancelled?.entries.map(({ sequence, status }) => [sequence, status])).toEqual(
      Array(6).fill([1, 'CANCELLED']),
    );
  });

  it('is one email even if a batch of the reader ends within it', async () => {
    const type = 'event.updated'; // the reader counts it, and sends nothing
    const others = Array.from(
      { length: 195 },
      () => ({ type, actorKind: 'system', at: NOW }) as const,
    );
    await app.ctx.db.change.createMany({ data: others });
    await makeSeries(10);
    const mails = await readMails();
    expect(mails.map(({ entries }) => entries.length)).toEqual([10]);
  });
});

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
    await readMails();
    const days = { startsOn: '2026-03-19', endsOn: '2026-03-22' };
    const input = { locationId: location.id, ...days, reason: 'New floor' };
    const { closure } = await run('createClosure', input, 'closure { id }');
    return { id: closure.id as string, inside, outside, email, guest, memberId };
  }

  const readTexts = async () => {
    await catchUp(app.ctx, mailReader);
    await sendInBatches();
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
    const mails = await readMails();
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
        [email, 'PUBLISH', 2],
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

  it('is announced by staff only', async () => {
    const { id } = await makeClosure();
    const member = await makeMember(app);
    const text = 'mutation ($id: ID!) { announceClosure(input: { id: $id }) { bookingCount } }';
    const { errors } = await app.graphql(text, { id }, await member.signedIn());
    expect(errors[0]?.extensions.reason).toBe('STAFF_ONLY');
    expect(await readTexts()).toEqual(new Map());
  });
});

describe('guests', () => {
  it('with an address are emailed without the name and title that someone entered for them', async () => {
    const token = bookingCalls(app, { token: await app.token('bookings:write') });
    const guest = { name: 'You won', email: `guest-${v7()}@example.org` };
    const { id } = await book({ memberId: undefined, guest, title: 'Call 555' }, token);
    const [mail] = await readMails();
    expect(mail).toMatchObject({ recipient: guest.email, priority: 'requested' });
    expect(mail?.text).toMatch(/^Hello,\n/);
    expect(`${mail?.text} ${mail?.content}`).not.toMatch(/You won|Call 555/);
    expect(mail?.entries).toMatchObject([{ uid: `${id}@foyer.test`, summary: 'Booking (Room)' }]);
  });

  it('without an address are not emailed', async () => {
    await book({ memberId: undefined, guest: { name: 'Gus' } });
    expect(await readMails()).toEqual([]);
  });
});

describe('no email is sent', () => {
  it('about a booking that was entered after it had ended', async () => {
    app.clock.now = new Date('2026-03-21T09:00:00Z');
    await book({ override: true });
    expect(await readMails()).toEqual([]);
  });
});

describe('the calendar file', () => {
  const importInto = async (slug: string, { content }: Pick<Mail, 'content'>) => {
    const { rows } = await importBookings(
      { ...app.ctx, now: () => NOW },
      { file: Buffer.from(content), resource: slug },
    );
    return rows.map(({ outcome }) => outcome);
  };

  it('can be imported again without a duplicate, and its cancellation imports nothing', async () => {
    const { id } = await book();
    const [created] = await readMails();
    await staff.reschedule(id, march(20, '14:00', '15:00'));
    const [moved] = await readMails();
    await staff.cancel(id);
    const [cancelled] = await readMails();
    if (!created || !moved || !cancelled) throw new Error('emails are missing');
    const { room } = await makeSpace(app);
    expect(await importInto(room.slug, created)).toEqual(['imported']);
    expect(await importInto(room.slug, created)).toEqual(['unchanged']);
    expect(await importInto(room.slug, moved)).toEqual(['unchanged']);
    expect(await importInto(room.slug, cancelled)).toEqual(['skipped']);
    expect(await app.ctx.db.booking.count({ where: { resourceId: room.id } })).toBe(1);
    expect(await readMails()).toEqual([]); // imported bookings are not announced
  });
});

describe('requests that need approval', () => {
  const ask = async (count = 1) => {
    const { room } = await makeSpace(app, { requiresApproval: true });
    const member = await makeMember(app, { name: 'Ida Berg' });
    const own = bookingCalls(app, await member.signedIn());
    const input = { resourceId: room.id, ...march(19, '10:00', '11:00') };
    if (count === 1) return (await own.create(input)).data.createBooking.booking.id as string;
    const { data } = await own.series({ ...input, rule: `FREQ=WEEKLY;COUNT=${count}` });
    return data.createBookingSeries.bookingSeries.bookings[0].id as string;
  };
  /** Runs the job in two processes at once, and returns the emails that staff got. */
  const report = async () => {
    await app.ctx.db.mail.deleteMany();
    await Promise.all([reportRequests(app.ctx), reportRequests(app.ctx)]);
    return app.ctx.db.mail.findMany({ orderBy: { recipient: 'asc' } });
  };
  const setWanted = (bookingRequests: boolean, as: Credential) =>
    app.graphql(
      `mutation ($input: UpdateNotificationSettingsInput!) {
        updateNotificationSettings(input: $input) { notificationSettings { bookingRequests offlineDisplays } } }`,
      { input: { bookingRequests } },
      as,
    );

  it('are one email to owners and managers, and to front desk staff who want it', async () => {
    const [owner, manager] = [
      await createStaffUser(app, 'owner'),
      await createStaffUser(app, 'manager'),
    ];
    await report();
    await ask();
    await ask(20);
    const mails = await report();
    expect(mails.map(({ recipient }) => recipient)).toEqual([owner.email, manager.email]);
    expect(mails[0]?.subject).toBe('2 bookings need approval');
    expect(mails[0]?.text.match(/^Ida Berg, Room, House: Thursday, 19 March .*$/gm)).toEqual([
      expect.stringMatching(/\(Berlin time\)$/),
      expect.stringMatching(/\(Berlin time\) and 19 more$/),
    ]);
    expect(await report()).toEqual([]);

    const { data } = await setWanted(true, desk);
    const settings = { bookingRequests: true, offlineDisplays: false };
    expect(data.updateNotificationSettings.notificationSettings).toEqual(settings);
    await setWanted(false, { cookie: await owner.session() });
    const id = await ask();
    const later = await report();
    const [toDesk, ...others] = later.filter(({ recipient }) => recipient !== manager.email);
    expect([later.length, others]).toEqual([2, []]);
    expect(toDesk?.text).toContain(`/admin/bookings/requests?request=${id}`);
    await setWanted(false, desk);
  });

  it('are reported again when they move, but not when they are decided before', async () => {
    const manager = await createStaffUser(app, 'manager');
    await report();
    const id = await ask();
    const decided = await ask();
    await confirm(decided);
    const reported = async () =>
      (await report()).filter(({ recipient }) => recipient === manager.email);
    expect(await reported()).toMatchObject([{ subject: 'A booking needs approval' }]);
    const later = march(20, '10:00', '11:00');
    await app.ctx.db.booking.update({
      where: { id },
      data: { ...later, occupiedUntil: later.endsAt },
    });
    expect(await reported()).toMatchObject([{ text: expect.stringContaining('20 March 2026') }]);
  });

  it('are counted and listed with a filter', async () => {
    await app.ctx.db.booking.updateMany({
      where: { status: 'pending' },
      data: { status: 'confirmed' },
    });
    await ask(3);
    const { data } = await app.graphql(
      `query ($from: DateTime!) { bookings(first: 2, filter: { status: [PENDING], from: $from }) {
        totalCount { value } edges { node { status allowedActions { confirm } } } } }`,
      { from: NOW },
      desk,
    );
    const node = { status: 'PENDING', allowedActions: { confirm: true } };
    expect(data.bookings).toEqual({ totalCount: { value: 3 }, edges: [{ node }, { node }] });
  });
});
