import { v7 } from 'uuid';
import { createSecret } from '../../../src/auth/tokens.ts';
import { revokeDisplay } from '../../../src/features/displays/service.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { DOORS, type Door, graphqlDoor, presentablesOf, today } from '../../support/check-ins.ts';
import { makeEvent } from '../../support/events.ts';
import { addDisplay } from '../../support/lookups.ts';
import { NOW } from '../../support/seed.ts';

let app: TestApp;
let make: ReturnType<typeof presentablesOf>;
let staff: Door;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  make = presentablesOf(app);
  staff = graphqlDoor(app, { token: await app.token('check-ins:write') });
});
afterEach(async () => {
  app.clock.now = NOW;
  await app.ctx.db.rateLimit.deleteMany();
});
afterAll(() => app.stop());

const later = (minutes: number) => {
  app.clock.now = new Date(NOW.getTime() + minutes * 60_000);
};

describe.each(DOORS)('through %s', (_, door, checkOut) => {
  let scan: Door;
  beforeAll(() => {
    scan = door(app);
  });
  const result = async (...args: Parameters<Door>) => (await scan(...args)).told.result;

  describe('a ticket', () => {
    it('admits its holder and shows strangers only a shortened name', async () => {
      const { code, locationId } = await make.makeTicket();
      const { told, status } = await scan({ locationId, code });
      expect(status).toBe(201);
      expect(told).toEqual({
        id: expect.any(String),
        checkOutToken: expect.stringMatching(/^foyerv_/),
        result: 'admitted',
        label: 'Ada L.',
        checkedInAt: NOW.toISOString(),
        checkedOutAt: null,
        subject: { type: 'ticket', title: 'Matinee' },
      });
      expect(await make.presentAt(locationId)).toBe(1);
      expect(await make.attempts(locationId)).toMatchObject([
        {
          id: told.id,
          label: 'Ada Lovelace',
          actor: 'anonymous',
          autoCheckOutAt: today('13:00', '13:00').endsAt,
        },
      ]);
    });

    it('records the kiosk as the caller, if it is one of this location', async () => {
      const { code, locationId } = await make.makeTicket();
      const kiosk = await addDisplay(app, locationId);
      const elsewhere = await addDisplay(app, (await make.makeHouse()).location.id);
      const welcome = await addDisplay(app, locationId, 'welcome');
      const by = async ({ token }: { token: string }) =>
        (await door(app, { token })({ locationId, code })).told;
      expect(await by(kiosk)).toMatchObject({ result: 'admitted', label: 'Ada L.' });
      for (const stranger of [elsewhere, welcome])
        expect((await by(stranger)).result).toBe('already_in');
      await revokeDisplay(app.ctx, kiosk.id);
      expect((await by(kiosk)).result).toBe('already_in');
      const actors = (await make.attempts(locationId)).map(({ actor }) => actor);
      expect(actors.sort()).toEqual([
        ...['anonymous', 'anonymous', 'anonymous', `kiosk:${kiosk.id}`],
      ]);
    });

    it('can be typed in any case, with blanks and dashes', async () => {
      const { code, locationId } = await make.makeTicket();
      const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4, 8)} – ${code.slice(8)} `;
      expect(await result({ locationId, code: typed })).toBe('admitted');
    });

    it('admits once, then reports already_in without the id of the visit', async () => {
      const { code, locationId } = await make.makeTicket();
      await scan({ locationId, code });
      later(5);
      const { told, status } = await scan({ locationId, code });
      expect(status).toBe(200);
      expect(told).toMatchObject({
        ...{ id: null, result: 'already_in', checkedInAt: NOW.toISOString(), checkedOutAt: null },
        label: 'Ada L.',
      });
      expect(await make.presentAt(locationId)).toBe(1);
    });

    it('is used after its holder has left, until staff readmit them', async () => {
      const { code, locationId } = await make.makeTicket();
      const { told } = await scan({ locationId, code });
      later(10);
      const { told: gone } = await checkOut(app, told.checkOutToken as string);
      expect(gone).toMatchObject({ id: told.id, result: 'checked_out', label: 'Ada L.' });
      expect(gone.checkedOutAt).toBe(app.clock.now.toISOString());
      expect((await scan({ locationId, code })).told).toMatchObject({
        ...{ id: null, result: 'checked_out', checkedInAt: NOW.toISOString() },
        checkedOutAt: app.clock.now.toISOString(),
      });
      expect((await staff({ locationId, code, readmit: true })).told).toMatchObject({
        ...{ result: 'admitted', label: 'Ada Lovelace' },
      });
      expect((await staff({ locationId, code, readmit: true })).told.result).toBe('already_in');
      expect((await make.attempts(locationId)).map(({ entry }) => entry)).toEqual([0, 0, 1, 0]);
    });

    it.each([
      ['unpaid while its order holds it', { status: 'held' }, {}, 'unpaid'],
      ['unpaid when the hold has run out', { status: 'expired' }, {}, 'unpaid'],
      ['cancelled with its order', { status: 'cancelled' }, {}, 'cancelled'],
      ['cancelled with its event', {}, { status: 'cancelled' }, 'cancelled'],
      ['too early more than an hour before', {}, today('11:31', '13:00'), 'not_yet_valid'],
      ['good an hour before', {}, today('11:30', '13:00'), 'admitted'],
      ['good a moment before the end', {}, today('09:00', '10:31'), 'admitted'],
      ['over with its event', {}, today('09:00', '10:30'), 'expired'],
      [
        'not good the day before',
        {},
        { startsAt: new Date('2026-03-19T09:00:00Z'), endsAt: new Date('2026-03-19T12:00:00Z') },
        'not_yet_valid',
      ],
    ] as const)('is %s', async (_, columns, event, expected) => {
      const { code, locationId } = await make.makeTicket(columns, event);
      const { told, status } = await scan({ locationId, code });
      expect([told.result, status]).toEqual([expected, expected === 'admitted' ? 201 : 200]);
      expect(told).toMatchObject({ label: 'Ada L.', subject: { type: 'ticket' } });
      expect(told.id === null).toBe(expected !== 'admitted');
      expect(await make.attempts(locationId)).toMatchObject([
        { result: expected, label: 'Ada Lovelace' },
      ]);
    });

    it('of another location is refused with wrong_location', async () => {
      const { code } = await make.makeTicket();
      const { location } = await make.makeHouse();
      expect(await result({ locationId: location.id, code })).toBe('wrong_location');
    });
  });

  describe('a day pass', () => {
    it('admits its holder on its day, any number of times', async () => {
      const { code, locationId } = await make.makePass();
      const { told } = await scan({ locationId, code });
      expect(told).toMatchObject({
        result: 'admitted',
        label: 'Grace H.',
        subject: { type: 'day_pass' },
      });
      expect(await result({ locationId, code })).toBe('already_in');
      await checkOut(app, told.checkOutToken as string);
      expect(await result({ locationId, code })).toBe('admitted');
    });

    it.each([
      [
        'not yet good on the day before',
        { validOn: new Date('2026-03-19T00:00:00Z') },
        'not_yet_valid',
      ],
      ['over the day after', { validOn: new Date('2026-03-17T00:00:00Z') }, 'expired'],
      ['unpaid while it is held', { status: 'held' }, 'unpaid'],
      ['cancelled', { status: 'cancelled' }, 'cancelled'],
    ] as const)('is %s', async (_, columns, expected) => {
      const { code, locationId } = await make.makePass(columns);
      expect(await result({ locationId, code })).toBe(expected);
    });

    it('of another location is refused with wrong_location', async () => {
      const { code } = await make.makePass();
      const { location } = await make.makeHouse();
      expect(await result({ locationId: location.id, code })).toBe('wrong_location');
    });

    it('uses the date in the time zone of the location', async () => {
      const { code, locationId } = await make.makePass({
        validOn: new Date('2026-03-19T00:00:00Z'),
      });
      await app.ctx.db.location.update({
        where: { id: locationId },
        data: { timeZone: 'Pacific/Auckland' },
      });
      app.clock.now = new Date('2026-03-18T12:00:00Z'); // one in the morning there
      expect(await result({ locationId, code })).toBe('admitted');
    });
  });

  describe('a member', () => {
    it('checks in and out by code', async () => {
      const { location } = await make.makeHouse();
      const { code, name } = await make.makeMember({ name: 'Ben Okafor' });
      const scanned = { locationId: location.id, code: code.toLowerCase() };
      expect((await scan(scanned)).told).toMatchObject({
        ...{ result: 'admitted', label: 'Ben O.', subject: { type: 'member', title: null } },
      });
      expect(await result(scanned)).toBe('already_in');
      const { told, status } = await scan({ ...scanned, leaving: true });
      expect([told.result, status]).toEqual(['checked_out', 200]);
      expect(told).toMatchObject({ id: expect.any(String), checkedInAt: NOW.toISOString() });
      expect(await result({ ...scanned, leaving: true })).toBe('not_found');
      expect(await result(scanned)).toBe('admitted');
      expect(name).toBe('Ben Okafor');
    });

    it.each([
      ['who is paused', { status: 'paused' }, [], 'membership_inactive'],
      ['who has left', { status: 'former' }, [], 'membership_inactive'],
      ['who never had a contract', {}, [], 'admitted'],
      ['whose contract covers today', {}, [['2026-03-01', '2026-03-18']], 'admitted'],
      ['whose contract ended yesterday', {}, [['2026-03-01', '2026-03-17']], 'membership_inactive'],
      ['whose contract begins tomorrow', {}, [['2026-03-19', null]], 'membership_inactive'],
      [
        'who has another one',
        {},
        [
          ['2026-01-01', '2026-01-31'],
          ['2026-03-18', null],
        ],
        'admitted',
      ],
    ] as const)('%s', async (_, columns, contracts, expected) => {
      const { location } = await make.makeHouse();
      const { id, code } = await make.makeMember(columns);
      await contract({ memberId: id }, contracts);
      expect(await result({ locationId: location.id, code })).toBe(expected);
    });

    it.each([
      ['covers today', [['2026-03-01', null]], 'admitted'],
      ['is over', [['2026-03-01', '2026-03-02']], 'membership_inactive'],
    ] as const)("whose team's contract %s", async (_, contracts, expected) => {
      const { location } = await make.makeHouse();
      const team = await app.ctx.db.team.create({ data: { name: `Team ${v7()}` } });
      const { code } = await make.makeMember({ teamId: team.id });
      await contract({ teamId: team.id }, contracts);
      expect(await result({ locationId: location.id, code })).toBe(expected);
    });
  });

  describe('a handle', () => {
    it('admits its member once and credits the lookup', async () => {
      const { location } = await make.makeHouse();
      const { id } = await make.makeMember();
      const other = await make.makeMember();
      const lookupId = v7();
      const handle = await make.makeHandle(id, location.id, { lookupId });
      await make.makeHandle(other.id, location.id, { lookupId });
      expect((await scan({ locationId: location.id, handle })).told).toMatchObject({
        ...{ result: 'admitted', subject: { type: 'member' } },
      });
      const rows = await app.ctx.db.lookupHandle.findMany({ where: { lookupId } });
      expect(rows.map(({ arrived }) => arrived)).toEqual([true, true]);
      expect(rows.map(({ usedAt }) => usedAt !== null).toSorted()).toEqual([false, true]);
      await scan({ locationId: location.id, handle, leaving: true });
      expect(await result({ locationId: location.id, handle })).toBe('expired');
    });

    it('expires after two minutes, whatever time the client sends', async () => {
      const { location } = await make.makeHouse();
      const { id } = await make.makeMember();
      const handle = await make.makeHandle(id, location.id);
      later(2);
      const occurredAt = NOW.toISOString();
      expect(await result({ locationId: location.id, handle, occurredAt })).toBe('expired');
      expect(await make.presentAt(location.id)).toBe(0);
    });

    it('is valid only at the location of the lookup', async () => {
      const [here, there] = [(await make.makeHouse()).location, (await make.makeHouse()).location];
      const { id } = await make.makeMember();
      const handle = await make.makeHandle(id, here.id);
      expect(await result({ locationId: there.id, handle })).toBe('wrong_location');
      expect(await result({ locationId: here.id, handle })).toBe('admitted');
    });

    it('that does not exist is not found', async () => {
      const { location } = await make.makeHouse();
      expect(await result({ locationId: location.id, handle: 'foyerh_nonsense' })).toBe(
        'not_found',
      );
    });
  });

  describe('an order', () => {
    it('admits its only ticket', async () => {
      const { orderId, locationId } = await make.makeTicket();
      const { code } = await app.ctx.db.order.findUniqueOrThrow({ where: { id: orderId } });
      expect((await scan({ locationId, code })).told).toMatchObject({
        ...{ result: 'admitted', label: 'Ada L.', subject: { type: 'ticket' } },
      });
      expect(await result({ locationId, code })).toBe('already_in');
    });

    it('is ambiguous while several of its tickets can be admitted', async () => {
      const event = await makeEvent(app, today('10:00', '13:00'));
      const order = await make.makeOrder({ eventId: event.id });
      const columns = { orderId: order.id, eventId: event.id, ticketTypeId: event.type };
      const first = await make.makeTicket(columns);
      await make.makeTicket({ ...columns, attendeeName: 'Charles Babbage', position: 1 });
      await make.makeTicket({ ...columns, status: 'cancelled', position: 2 });
      const { locationId } = first;
      expect((await scan({ locationId, code: order.code })).told).toMatchObject({
        ...{ result: 'ambiguous', label: null, subject: null },
      });
      await scan({ locationId, code: first.code });
      expect((await scan({ locationId, code: order.code })).told).toMatchObject({
        ...{ result: 'admitted', label: 'Charles B.' },
      });
      expect(await result({ locationId, code: order.code })).toBe('already_in');
    });

    it('that is not paid is refused with unpaid', async () => {
      const { orderId, locationId } = await make.makeTicket({ status: 'held' });
      const { code } = await app.ctx.db.order.findUniqueOrThrow({ where: { id: orderId } });
      expect(await result({ locationId, code })).toBe('unpaid');
    });
  });

  it('a code that matches two things is ambiguous', async () => {
    const { code, locationId } = await make.makeTicket();
    await make.makeMember({ code });
    expect(await result({ locationId, code })).toBe('ambiguous');
    expect(await make.presentAt(locationId)).toBe(0);
  });

  it('records an attempt with an unknown code as not_found', async () => {
    const { location } = await make.makeHouse();
    const { told, status } = await scan({ locationId: location.id, code: 'XXXX' });
    expect(status).toBe(200);
    expect(told).toEqual({
      ...{
        id: null,
        checkOutToken: null,
        result: 'not_found',
        label: null,
        checkedInAt: null,
        checkedOutAt: null,
      },
      subject: null,
    });
    expect(await make.attempts(location.id)).toMatchObject([
      { result: 'not_found', subject: null },
    ]);
  });

  it('a full location admits nobody until somebody leaves', async () => {
    const { location } = await make.makeHouse();
    await make.capacity(location.id, 1);
    const [first, second] = [await make.makeMember(), await make.makeMember()];
    const { told } = await scan({ locationId: location.id, code: first.code });
    expect(await result({ locationId: location.id, code: second.code })).toBe('capacity_full');
    await checkOut(app, told.checkOutToken as string);
    expect(await result({ locationId: location.id, code: second.code })).toBe('admitted');
    expect(await make.presentAt(location.id)).toBe(1);
  });

  it('returns the first result for a retried scan and records no second attempt', async () => {
    const { code, locationId } = await make.makeTicket();
    const first = await scan({ locationId, code, scanId: 'scan 1' });
    later(3);
    const again = await scan({ locationId, code: ` ${code.toLowerCase()}`, scanId: 'scan 1' });
    expect(again).toEqual(first);
    expect(again.status).toBe(201);
    const second = await scan({ locationId, code, scanId: 'scan 2' });
    expect(second.told.result).toBe('already_in');
    expect(await scan({ locationId, code, scanId: 'scan 2' })).toEqual(second);
    const out = await scan({ locationId, code, scanId: 'scan 3', leaving: true });
    expect(out.told.result).toBe('checked_out');
    expect(await scan({ locationId, code, scanId: 'scan 3', leaving: true })).toEqual(out);
    expect(await make.attempts(locationId)).toHaveLength(3);
  });

  it('rejects a scan id that was used for another scan', async () => {
    const { code, locationId } = await make.makeTicket();
    await scan({ locationId, code, scanId: 'mine' });
    for (const other of [{ code: 'OTHER' }, { code, leaving: true }]) {
      const { status, refusal } = await scan({ locationId, scanId: 'mine', ...other });
      expect(status).toBe(422);
      expect(refusal?.message).toContain('was used for another scan');
    }
    const { location } = await make.makeHouse();
    expect((await scan({ locationId: location.id, code, scanId: 'mine' })).status).toBe(200);
  });

  it('checks out with the token, and a second check-out changes nothing', async () => {
    const { code, locationId } = await make.makeTicket();
    const { told } = await scan({ locationId, code });
    later(5);
    const first = await checkOut(app, told.checkOutToken as string);
    later(9);
    expect(await checkOut(app, told.checkOutToken as string)).toEqual(first);
    expect(await make.presentAt(locationId)).toBe(0);
    await scan({ locationId, code });
    const refused = (await make.attempts(locationId)).find(
      ({ result }) => result === 'checked_out',
    );
    const unknown = createSecret('checkOut').plainText;
    for (const other of [v7(), 'nonsense', refused?.id as string, told.id as string, unknown]) {
      expect((await checkOut(app, other)).refusal?.message).toBe('No such check-in.');
    }
  });

  it('rejects an unknown location, no credential, and two credentials', async () => {
    const { location } = await make.makeHouse();
    const { refusal } = await scan({ locationId: v7(), code: 'ANY' });
    expect(refusal?.message).toBe('No such location.');
    for (const presented of [{}, { code: 'A', handle: 'B' }]) {
      const { refusal } = await scan({ locationId: location.id, ...presented });
      expect(refusal?.message).toMatch(/^Present exactly one/);
    }
    expect(await make.attempts(location.id)).toEqual([]);
  });
});

describe('a booking', () => {
  it('can be checked in by staff, for members and guests, and is marked', async () => {
    const { room, addRoom } = await make.makeHouse();
    const { id: memberId } = await make.makeMember({ name: 'Ben Okafor' });
    const mine = await make.makeBooking(room, { memberId });
    const guests = await make.makeBooking(await addRoom());
    for (const [booking, label] of [
      [mine, 'Ben Okafor'],
      [guests, 'Alan Turing'],
    ] as const) {
      const scanned = { locationId: room.locationId, bookingId: booking.id };
      expect((await staff(scanned)).told).toMatchObject({
        ...{ result: 'admitted', label, subject: { type: 'booking', title: 'Room' } },
      });
      expect((await staff(scanned)).told.result).toBe('already_in');
      expect(await markOf(booking.id)).toEqual(NOW);
    }
  });

  it('of a member who is checked in already is marked too', async () => {
    const { room } = await make.makeHouse();
    const { id: memberId, code } = await make.makeMember();
    await staff({ locationId: room.locationId, code });
    const booking = await make.makeBooking(room, { memberId });
    const { told } = await staff({ locationId: room.locationId, bookingId: booking.id });
    expect(told.result).toBe('already_in');
    expect(await markOf(booking.id)).toEqual(NOW);
  });

  it.each([
    ['waits for a yes', { status: 'pending' }, ['10:30', '12:00'], 'not_yet_valid'],
    ['was cancelled', { status: 'cancelled' }, ['10:30', '12:00'], 'cancelled'],
    ['was given up', { status: 'no_show' }, ['10:30', '12:00'], 'expired'],
    ['begins later', {}, ['11:31', '12:00'], 'not_yet_valid'],
    ['is over', {}, ['09:30', '10:30'], 'expired'],
  ] as const)('that %s admits nobody', async (_, columns, [from, to], expected) => {
    const { room } = await make.makeHouse();
    const booking = await make.makeBooking(room, columns, [from, to]);
    const { told } = await staff({ locationId: room.locationId, bookingId: booking.id });
    expect(told.result).toBe(expected);
    expect(await markOf(booking.id)).toBeNull();
  });

  it('of another location is refused with wrong_location, an unknown one with not_found', async () => {
    const { room } = await make.makeHouse();
    const { location } = await make.makeHouse();
    const booking = await make.makeBooking(room);
    const at = { locationId: location.id };
    expect((await staff({ ...at, bookingId: booking.id })).told.result).toBe('wrong_location');
    expect((await staff({ ...at, bookingId: v7() })).told.result).toBe('not_found');
    expect((await staff({ ...at, memberId: v7() })).told.result).toBe('not_found');
  });

  it('of a member who arrives is marked if it runs or begins within the hour, here', async () => {
    const { room, addRoom } = await make.makeHouse();
    const elsewhere = await make.makeHouse();
    const { id: memberId, code } = await make.makeMember();
    const booked = async (span: [string, string], at = room, more: object = {}) =>
      make.makeBooking(at, { memberId, ...more }, span);
    const now = await booked(['09:00', '11:00']);
    const soon = await booked(['11:30', '12:00'], await addRoom());
    const tooLate = await booked(['11:31', '12:00'], await addRoom());
    const over = await booked(['09:00', '10:30'], await addRoom());
    const there = await booked(['10:00', '12:00'], elsewhere.room);
    const pending = await booked(['10:00', '12:00'], await addRoom(), { status: 'pending' });
    await staff({ locationId: room.locationId, code });
    for (const { id } of [now, soon]) expect(await markOf(id)).toEqual(NOW);
    for (const { id } of [tooLate, over, there, pending]) expect(await markOf(id)).toBeNull();
  });
});

describe('credentials for staff and tokens', () => {
  it('are rejected for everyone else, with the name of the missing scope', async () => {
    const { room } = await make.makeHouse();
    const { id: memberId } = await make.makeMember();
    const booking = await make.makeBooking(room);
    const reader = graphqlDoor(app, { token: await app.token('check-ins:read', 'bookings:write') });
    for (const presented of [
      { memberId },
      { bookingId: booking.id },
      { code: 'A', readmit: true },
    ]) {
      for (const door of [graphqlDoor(app), reader]) {
        const { refusal } = await door({ locationId: room.locationId, ...presented });
        expect(refusal).toMatchObject({ code: 'FORBIDDEN', reason: 'MISSING_SCOPE' });
      }
    }
    expect(await make.attempts(room.locationId)).toEqual([]);
  });

  it('can be presented by members for themselves only', async () => {
    const { room } = await make.makeHouse();
    const [ben, ida] = [await make.makeMember(), await make.makeMember()];
    const door = graphqlDoor(app, await ben.signedIn());
    const at = { locationId: room.locationId };
    const booking = await make.makeBooking(room, { memberId: ben.id });
    const foreign = await make.makeBooking(room, { memberId: ida.id }, ['13:00', '14:00']);
    expect((await door({ ...at, bookingId: booking.id })).told.result).toBe('admitted');
    expect((await door({ ...at, memberId: ben.id, leaving: true })).told.result).toBe(
      'checked_out',
    );
    expect((await door({ ...at, memberId: ben.id })).told.result).toBe('admitted');
    for (const presented of [{ memberId: ida.id }, { bookingId: foreign.id }, { bookingId: v7() }])
      expect((await door({ ...at, ...presented })).refusal?.code).toBe('FORBIDDEN');
    const rows = await make.attempts(room.locationId);
    expect(new Set(rows.map(({ actor }) => actor))).toEqual(new Set([`member:${ben.id}`]));
  });
});

const markOf = async (id: string) =>
  (await app.ctx.db.booking.findUniqueOrThrow({ where: { id } })).checkedInAt;

async function contract(
  holder: { memberId: string } | { teamId: string },
  spans: readonly (readonly [string, string | null])[],
) {
  if (spans.length === 0) return;
  const plan = await app.ctx.db.plan.create({ data: { name: `Plan ${v7()}` } });
  for (const [startsOn, endsOn] of spans) {
    await app.ctx.db.membership.create({
      data: {
        ...{ ...holder, planId: plan.id, startsOn: new Date(startsOn) },
        endsOn: endsOn === null ? null : new Date(endsOn),
      },
    });
  }
}
