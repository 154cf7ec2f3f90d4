import { v7 } from 'uuid';
import { releaseNoShows } from '../../../src/features/bookings/service/check-in-booking.ts';
import { mailReader } from '../../../src/features/notifications/service/mail-reader.ts';
import { updateSettings } from '../../../src/features/settings/service.ts';
import { importBookings } from '../../../src/imports/import-bookings.ts';
import { catchUp } from '../../../src/journal/read-changes.ts';
import type { Credential } from '../../support/clients/api.ts';
import { type CalendarMail, readCalendarMails } from '../../support/clients/calendar-mails.ts';
import { makeMember, signInFrontDesk } from '../../support/factories/people.ts';
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

const readMails = () => readCalendarMails(app);

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
      organizerName: 'Foyer',
    };
    const at = (hour: string) => `2026-03-20T${hour}:00:00.000Z`;
    expect([requested, confirmed, moved, cancelled].map((mail) => mail?.entries)).toEqual([
      [{ ...same, sequence: 0, status: 'TENTATIVE', start: at('09') }],
      [{ ...same, sequence: 1, status: 'CONFIRMED', start: at('09') }],
      [{ ...same, sequence: 2, status: 'CONFIRMED', start: at('13') }],
      [{ ...same, sequence: 3, status: 'CANCELLED', start: at('13') }],
    ]);
  });

  it('gets calendar entries from the space, if it has a name', async () => {
    await updateSettings(app.ctx, { name: 'Übungshaus "Süd"; Köln, \\ Nord' });
    const { id } = await book();
    await staff.cancel(id);
    const mails = await readMails();
    await updateSettings(app.ctx, { name: null });
    const names = mails.flatMap(({ entries }) => entries.map(({ organizerName }) => organizerName));
    expect(names).toEqual(Array(2).fill('Übungshaus Süd; Köln,  Nord'));
    expect(mails[0]?.entries[0]?.organizer).toBe('mailto:no-reply@foyer.test');
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

  it('gets the number of a calendar feed, and more with each email', async () => {
    const { id } = await book();
    await staff.reschedule(id, march(20, '14:00', '15:00'));
    app.clock.now = new Date(app.clock.now.getTime() + 100_000);
    const mails = await readMails();
    await staff.cancel(id);
    const numbers = [...mails, ...(await readMails())].map(
      ({ entries: [entry] }) => entry?.sequence,
    );
    expect(numbers).toEqual([100, 101, 102]);
  });

  it('receives an email when a booking is released', async () => {
    const { id } = await book();
    await app.ctx.db.resource.updateMany({ data: { noShowMinutes: 10 } });
    await readMails();
    app.clock.now = new Date('2026-03-20T09:20:00Z');
    await releaseNoShows(app.ctx);
    const [mail] = await readMails();
    expect(mail?.subject).toMatch(/^Your booking was released: Room/);
    expect(mail?.text).toContain('Still to pay: €40.00, for example at the front desk.');
    expect([mail?.method, mail?.entries[0]?.uid]).toEqual(['CANCEL', `${id}@foyer.test`]);
  });

  it('does not ask for a payment that Foyer does not track', async () => {
    await book();
    expect((await readMails())[0]?.text).toContain('Still to pay');
    const { id } = await book();
    await app.ctx.db.booking.update({ where: { id }, data: { tracksPayment: false } });
    expect((await readMails())[0]?.text).not.toContain('Still to pay');
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
    expect(cancelled?.method).toBe('CANCEL');
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
  const importInto = async (slug: string, { content }: Pick<CalendarMail, 'content'>) => {
    const { rows } = await importBookings(
      { ...app.ctx, now: () => NOW },
      { file: Buffer.from(content), resource: { slug } },
    );
    return rows.map(({ outcome }) => outcome);
  };

  it('can be imported again without a duplicate, and its move and its cancellation change the booking', async () => {
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
    expect(await importInto(room.slug, moved)).toEqual(['updated']);
    expect(await importInto(room.slug, cancelled)).toEqual(['updated']);
    expect(await app.ctx.db.booking.count({ where: { resourceId: room.id } })).toBe(1);
    expect(await readMails()).toEqual([]); // imported bookings are not announced
  });
});
