import { v7 } from 'uuid';
import {
  createAdmissionFactories,
  createGraphqlScanner,
  type Scanner,
} from '../../support/factories/check-ins.ts';
import { NOW } from '../../support/factories/seed.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
let make: ReturnType<typeof createAdmissionFactories>;
let staff: Scanner;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  make = createAdmissionFactories(app);
  staff = createGraphqlScanner(app, { token: await app.token('check-ins:write') });
});
afterEach(async () => {
  app.clock.now = NOW;
  await app.ctx.db.rateLimit.deleteMany();
});
afterAll(() => app.stop());

it('lists who is expected today and not in, until they come', async () => {
  const { room, addRoom } = await make.makeSpace();
  const locationId = room.locationId;
  const reader = { token: await app.token('check-ins:read') };
  const expected = async () => {
    const { data, errors } = await app.graphql(
      'query ($locationId: ID) { expectedArrivals(locationId: $locationId) { kind name what startsAt } }',
      { locationId },
      reader,
    );
    expect(errors).toEqual([]);
    return data.expectedArrivals.map(({ kind, name }: Record<string, string>) => [kind, name]);
  };
  const { id: memberId, code } = await make.makeMember({ name: 'Ben Okafor' });
  await make.makeBooking(room, { memberId }, ['16:00', '17:00']);
  const guests = await make.makeBooking(await addRoom());
  await make.makeBooking(await addRoom(), { status: 'pending' });
  await make.makeBooking(await addRoom(), {}, ['08:00', '09:00']);
  const pass = await make.makePass({}, { id: locationId });
  await make.makePass({ status: 'cancelled' }, { id: locationId });
  await make.makePass({ validOn: new Date('2026-03-19T00:00:00Z') }, { id: locationId });
  const ticket = await make.makeTicket({}, { locationId });
  expect(await expected()).toEqual([
    ['DAY_PASS', 'Grace Hopper'],
    ['TICKET', 'Ada Lovelace'],
    ['BOOKING', 'Alan Turing'],
    ['BOOKING', 'Ben Okafor'],
  ]);
  await staff({ locationId, bookingId: guests.id });
  await staff({ locationId, code: pass.code });
  await staff({ locationId, code: ticket.code });
  expect(await expected()).toEqual([['BOOKING', 'Ben Okafor']]);
  await staff({ locationId, code });
  expect(await expected()).toEqual([]);
});

describe('a booking', () => {
  it('can be checked in by staff, for members and guests, and is marked', async () => {
    const { room, addRoom } = await make.makeSpace();
    const { id: memberId } = await make.makeMember({ name: 'Ben Okafor' });
    const own = await make.makeBooking(room, { memberId });
    const guests = await make.makeBooking(await addRoom());
    for (const [booking, label] of [
      [own, 'Ben Okafor'],
      [guests, 'Alan Turing'],
    ] as const) {
      const scanned = { locationId: room.locationId, bookingId: booking.id };
      expect((await staff(scanned)).checkIn).toMatchObject({
        ...{ result: 'admitted', label, subject: { type: 'booking', title: 'Room' } },
      });
      expect((await staff(scanned)).checkIn.result).toBe('already_in');
      expect(await getCheckInTime(booking.id)).toEqual(NOW);
    }
  });

  it('of a member is marked as well if the member is checked in already', async () => {
    const { room } = await make.makeSpace();
    const { id: memberId, code } = await make.makeMember();
    await staff({ locationId: room.locationId, code });
    const booking = await make.makeBooking(room, { memberId });
    const { checkIn } = await staff({ locationId: room.locationId, bookingId: booking.id });
    expect(checkIn.result).toBe('already_in');
    expect(await getCheckInTime(booking.id)).toEqual(NOW);
  });

  it.each([
    ['awaits approval', { status: 'pending' }, ['10:30', '12:00'], 'not_yet_valid'],
    ['was cancelled', { status: 'cancelled' }, ['10:30', '12:00'], 'cancelled'],
    ['was released as a no-show', { status: 'no_show' }, ['10:30', '12:00'], 'expired'],
    ['begins later', {}, ['11:31', '12:00'], 'not_yet_valid'],
    ['is over', {}, ['09:30', '10:30'], 'expired'],
  ] as const)('that %s admits nobody', async (_, columns, [from, to], expected) => {
    const { room } = await make.makeSpace();
    const booking = await make.makeBooking(room, columns, [from, to]);
    const { checkIn } = await staff({ locationId: room.locationId, bookingId: booking.id });
    expect(checkIn.result).toBe(expected);
    expect(await getCheckInTime(booking.id)).toBeNull();
  });

  it('of another location gets wrong_location, an unknown one not_found', async () => {
    const { room } = await make.makeSpace();
    const { location } = await make.makeSpace();
    const booking = await make.makeBooking(room);
    const at = { locationId: location.id };
    expect((await staff({ ...at, bookingId: booking.id })).checkIn.result).toBe('wrong_location');
    expect((await staff({ ...at, bookingId: v7() })).checkIn.result).toBe('not_found');
    expect((await staff({ ...at, memberId: v7() })).checkIn.result).toBe('not_found');
  });

  it('is marked when its member arrives at its location, during it or up to an hour before', async () => {
    const { room, addRoom } = await make.makeSpace();
    const otherSpace = await make.makeSpace();
    const { id: memberId, code } = await make.makeMember();
    const booked = async (span: [string, string], at = room, more: object = {}) =>
      make.makeBooking(at, { memberId, ...more }, span);
    const now = await booked(['09:00', '11:00']);
    const soon = await booked(['11:30', '12:00'], await addRoom());
    const tooLate = await booked(['11:31', '12:00'], await addRoom());
    const over = await booked(['09:00', '10:30'], await addRoom());
    const there = await booked(['10:00', '12:00'], otherSpace.room);
    const pending = await booked(['10:00', '12:00'], await addRoom(), { status: 'pending' });
    await staff({ locationId: room.locationId, code });
    for (const { id } of [now, soon]) expect(await getCheckInTime(id)).toEqual(NOW);
    for (const { id } of [tooLate, over, there, pending])
      expect(await getCheckInTime(id)).toBeNull();
  });
});

describe('credentials for staff and tokens', () => {
  it('are rejected for everyone else, with the name of the missing scope', async () => {
    const { room } = await make.makeSpace();
    const { id: memberId } = await make.makeMember();
    const booking = await make.makeBooking(room);
    const reader = createGraphqlScanner(app, {
      token: await app.token('check-ins:read', 'bookings:write'),
    });
    for (const presented of [
      { memberId },
      { bookingId: booking.id },
      { code: 'A', readmit: true },
    ]) {
      for (const createScanner of [createGraphqlScanner(app), reader]) {
        const { error } = await createScanner({ locationId: room.locationId, ...presented });
        expect(error).toMatchObject({ code: 'FORBIDDEN', reason: 'MISSING_SCOPE' });
      }
    }
    expect(await make.listAttempts(room.locationId)).toEqual([]);
  });

  it('can be presented by members for themselves only', async () => {
    const { room } = await make.makeSpace();
    const [ben, ida] = [await make.makeMember(), await make.makeMember()];
    const createScanner = createGraphqlScanner(app, await ben.signedIn());
    const at = { locationId: room.locationId };
    const booking = await make.makeBooking(room, { memberId: ben.id });
    const foreign = await make.makeBooking(room, { memberId: ida.id }, ['13:00', '14:00']);
    expect((await createScanner({ ...at, bookingId: booking.id })).checkIn.result).toBe('admitted');
    expect((await createScanner({ ...at, memberId: ben.id, leaving: true })).checkIn.result).toBe(
      'checked_out',
    );
    expect((await createScanner({ ...at, memberId: ben.id })).checkIn.result).toBe('admitted');
    for (const presented of [{ memberId: ida.id }, { bookingId: foreign.id }, { bookingId: v7() }])
      expect((await createScanner({ ...at, ...presented })).error?.code).toBe('FORBIDDEN');
    const rows = await make.listAttempts(room.locationId);
    expect(new Set(rows.map(({ actor }) => actor))).toEqual(new Set([`member:${ben.id}`]));
  });
});

const getCheckInTime = async (id: string) =>
  (await app.ctx.db.booking.findUniqueOrThrow({ where: { id } })).checkedInAt;
