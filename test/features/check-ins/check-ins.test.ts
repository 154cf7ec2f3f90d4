import { v7 } from 'uuid';
import { createSecret } from '../../../src/auth/tokens.ts';
import { revokeDisplay } from '../../../src/features/displays/service/manage-displays.ts';
import { parseKioskInput } from '../../../src/web/kiosk/parse-input.ts';
import { addDisplay } from '../../support/clients/member-lookup.ts';
import {
  APIS,
  createAdmissionFactories,
  createGraphqlScanner,
  type Scanner,
  todayInBerlin,
} from '../../support/factories/check-ins.ts';
import { makeEvent } from '../../support/factories/events.ts';
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

const advanceClock = (minutes: number) => {
  app.clock.now = new Date(NOW.getTime() + minutes * 60_000);
};

describe.each(APIS)('through %s', (_, createScanner, checkOut) => {
  let scan: Scanner;
  beforeAll(() => {
    scan = createScanner(app);
  });
  const result = async (...args: Parameters<Scanner>) => (await scan(...args)).checkIn.result;

  describe('a ticket', () => {
    it('admits its holder and shows strangers only a shortened name', async () => {
      const { code, locationId } = await make.makeTicket();
      const { checkIn, status } = await scan({ locationId, code });
      expect(status).toBe(201);
      expect(checkIn).toEqual({
        id: expect.any(String),
        checkOutToken: expect.stringMatching(/^foyerv_/),
        result: 'admitted',
        unconfirmed: false,
        disputed: false,
        label: 'Ada L.',
        checkedInAt: NOW.toISOString(),
        checkedOutAt: null,
        subject: { type: 'ticket', title: 'Matinee' },
      });
      expect(await make.countPresent(locationId)).toBe(1);
      expect(await make.listAttempts(locationId)).toMatchObject([
        {
          id: checkIn.id,
          label: 'Ada Lovelace',
          actor: 'anonymous',
          autoCheckOutAt: todayInBerlin('13:00', '13:00').endsAt,
        },
      ]);
    });

    it('records the kiosk as the caller, if it is one of this location', async () => {
      const { code, locationId } = await make.makeTicket();
      const kiosk = await addDisplay(app, locationId);
      const otherSpace = await addDisplay(app, (await make.makeSpace()).location.id);
      const welcome = await addDisplay(app, locationId, 'welcome');
      const by = async ({ token }: { token: string }) =>
        (await createScanner(app, { token })({ locationId, code })).checkIn;
      expect(await by(kiosk)).toMatchObject({ result: 'admitted', label: 'Ada L.' });
      for (const display of [otherSpace, welcome])
        expect((await by(display)).result).toBe('already_in');
      await revokeDisplay(app.ctx, kiosk.id);
      expect((await by(kiosk)).result).toBe('already_in');
      const actors = (await make.listAttempts(locationId)).map(({ actor }) => actor);
      expect(actors.sort()).toEqual([
        ...['anonymous', 'anonymous', 'anonymous', `kiosk:${kiosk.id}`],
      ]);
    });

    it('can be typed in any case, with spaces and dashes', async () => {
      const { code, locationId } = await make.makeTicket();
      const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4, 8)} – ${code.slice(8)} `;
      expect(await result({ locationId, code: typed })).toBe('admitted');
    });

    it('admits once, then reports already_in without the id of the visit', async () => {
      const { code, locationId } = await make.makeTicket();
      await scan({ locationId, code });
      advanceClock(5);
      const { checkIn, status } = await scan({ locationId, code });
      expect(status).toBe(200);
      expect(checkIn).toMatchObject({
        ...{ id: null, result: 'already_in', checkedInAt: NOW.toISOString(), checkedOutAt: null },
        label: 'Ada L.',
      });
      expect(await make.countPresent(locationId)).toBe(1);
    });

    it('that no longer admits says that its holder is in, so that they can leave', async () => {
      const { db } = app.ctx;
      const { location: other } = await make.makeSpace();
      const losses = {
        unpaid: ({ orderId: id }: { orderId: string }) =>
          db.order.update({ where: { id }, data: { disputedAt: NOW } }),
        cancelled: ({ id }: { id: string }) =>
          db.ticket.update({ where: { id }, data: { status: 'cancelled', cancelledAt: NOW } }),
        wrong_location: ({ eventId: id }: { eventId: string }) =>
          db.event.update({ where: { id }, data: { locationId: other.id } }),
      };
      for (const [reason, lose] of Object.entries(losses)) {
        app.clock.now = NOW;
        const ticket = await make.makeTicket();
        const at = { locationId: ticket.locationId, code: ticket.code };
        await scan(at);
        await lose(ticket);
        const again = { ...at, scanId: v7() };
        const rejected = await scan(again);
        expect(rejected.checkIn).toMatchObject({
          ...{ id: null, checkOutToken: null, result: reason, disputed: false },
          ...{ checkedInAt: NOW.toISOString(), checkedOutAt: null },
        });
        advanceClock(1);
        expect(await result({ ...at, leaving: true })).toBe('checked_out');
        expect(await scan(again)).toEqual(rejected);
        expect((await scan(at)).checkIn).toMatchObject({ result: reason, checkedInAt: null });
      }
    });

    it('is used after its holder has left, until staff readmit them', async () => {
      const { code, locationId } = await make.makeTicket();
      const { checkIn } = await scan({ locationId, code });
      advanceClock(10);
      const { checkIn: checkedOut } = await checkOut(app, checkIn.checkOutToken as string);
      expect(checkedOut).toMatchObject({ id: checkIn.id, result: 'checked_out', label: 'Ada L.' });
      expect(checkedOut.checkedOutAt).toBe(app.clock.now.toISOString());
      expect((await scan({ locationId, code })).checkIn).toMatchObject({
        ...{ id: null, result: 'checked_out', checkedInAt: NOW.toISOString() },
        checkedOutAt: app.clock.now.toISOString(),
      });
      expect((await staff({ locationId, code, readmit: true })).checkIn).toMatchObject({
        ...{ result: 'admitted', label: 'Ada Lovelace' },
      });
      expect((await staff({ locationId, code, readmit: true })).checkIn.result).toBe('already_in');
      expect((await make.listAttempts(locationId)).map(({ entry }) => entry)).toEqual([0, 0, 1, 0]);
    });

    it.each([
      ['unpaid while it is held', { status: 'held' }, {}, 'unpaid'],
      ['unpaid after the hold expires', { status: 'expired' }, {}, 'unpaid'],
      ['cancelled with its order', { status: 'cancelled' }, {}, 'cancelled'],
      ['cancelled with its event', {}, { status: 'cancelled' }, 'cancelled'],
      ['too early more than an hour before', {}, todayInBerlin('11:31', '13:00'), 'not_yet_valid'],
      ['valid an hour before', {}, todayInBerlin('11:30', '13:00'), 'admitted'],
      ['valid just before the end', {}, todayInBerlin('09:00', '10:31'), 'admitted'],
      ['expired after its event', {}, todayInBerlin('09:00', '10:30'), 'expired'],
      [
        'too early the day before',
        {},
        { startsAt: new Date('2026-03-19T09:00:00Z'), endsAt: new Date('2026-03-19T12:00:00Z') },
        'not_yet_valid',
      ],
    ] as const)('is %s', async (_, columns, event, expected) => {
      const { code, locationId } = await make.makeTicket(columns, event);
      const { checkIn, status } = await scan({ locationId, code });
      expect([checkIn.result, status]).toEqual([expected, expected === 'admitted' ? 201 : 200]);
      expect(checkIn).toMatchObject({ label: 'Ada L.', subject: { type: 'ticket' } });
      expect(checkIn.id === null).toBe(expected !== 'admitted');
      expect(await make.listAttempts(locationId)).toMatchObject([
        { result: expected, label: 'Ada Lovelace' },
      ]);
    });

    it('of another location gets wrong_location', async () => {
      const { code } = await make.makeTicket();
      const { location } = await make.makeSpace();
      expect(await result({ locationId: location.id, code })).toBe('wrong_location');
    });
  });

  describe('a day pass', () => {
    it('admits its holder on its day, any number of times', async () => {
      const { code, locationId } = await make.makePass();
      const { checkIn } = await scan({ locationId, code });
      expect(checkIn).toMatchObject({
        result: 'admitted',
        label: 'Grace H.',
        subject: { type: 'day_pass' },
      });
      expect(await result({ locationId, code })).toBe('already_in');
      await checkOut(app, checkIn.checkOutToken as string);
      expect(await result({ locationId, code })).toBe('admitted');
    });

    it.each([
      [
        'not yet valid on the day before',
        { validOn: new Date('2026-03-19T00:00:00Z') },
        'not_yet_valid',
      ],
      ['expired the day after', { validOn: new Date('2026-03-17T00:00:00Z') }, 'expired'],
      ['unpaid while it is held', { status: 'held' }, 'unpaid'],
      ['cancelled', { status: 'cancelled' }, 'cancelled'],
    ] as const)('is %s', async (_, columns, expected) => {
      const { code, locationId } = await make.makePass(columns);
      expect(await result({ locationId, code })).toBe(expected);
    });

    it('of another location gets wrong_location', async () => {
      const { code } = await make.makePass();
      const { location } = await make.makeSpace();
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

  describe('an order', () => {
    it('admits its only ticket', async () => {
      const { orderId, locationId } = await make.makeTicket();
      const { code } = await app.ctx.db.order.findUniqueOrThrow({ where: { id: orderId } });
      expect((await scan({ locationId, code })).checkIn).toMatchObject({
        ...{ result: 'admitted', label: 'Ada L.', subject: { type: 'ticket' } },
      });
      expect(await result({ locationId, code })).toBe('already_in');
    });

    it('is ambiguous while several of its tickets can be admitted', async () => {
      const event = await makeEvent(app, todayInBerlin('10:00', '13:00'));
      const order = await make.makeOrder({ eventId: event.id });
      const columns = { orderId: order.id, eventId: event.id, ticketTypeId: event.type };
      const first = await make.makeTicket(columns);
      await make.makeTicket({ ...columns, attendeeName: 'Charles Babbage', position: 1 });
      await make.makeTicket({ ...columns, status: 'cancelled', position: 2 });
      const { locationId } = first;
      expect((await scan({ locationId, code: order.code })).checkIn).toMatchObject({
        ...{ result: 'ambiguous', label: null, subject: null },
      });
      await scan({ locationId, code: first.code });
      expect((await scan({ locationId, code: order.code })).checkIn).toMatchObject({
        ...{ result: 'admitted', label: 'Charles B.' },
      });
      expect(await result({ locationId, code: order.code })).toBe('already_in');
    });

    it('is cancelled only if all its tickets are', async () => {
      const event = await makeEvent(app, todayInBerlin('10:00', '13:00'));
      const order = await make.makeOrder({ eventId: event.id });
      const columns = { orderId: order.id, eventId: event.id, ticketTypeId: event.type };
      const { locationId } = await make.makeTicket({ ...columns, status: 'cancelled' });
      const scanOrder = () => result({ locationId, code: order.code });
      expect(await scanOrder()).toBe('cancelled');
      await make.makeTicket({ ...columns, position: 1 });
      app.clock.now = new Date(app.clock.now.getTime() + 24 * 3_600_000);
      expect(await scanOrder()).toBe('expired');
    });

    it('that is not paid gets unpaid', async () => {
      const { orderId, locationId } = await make.makeTicket({ status: 'held' });
      const { code } = await app.ctx.db.order.findUniqueOrThrow({ where: { id: orderId } });
      expect(await result({ locationId, code })).toBe('unpaid');
    });
  });

  it('a code that matches two things is ambiguous', async () => {
    const { code, locationId } = await make.makeTicket();
    await make.makeMember({ code });
    expect(await result({ locationId, code })).toBe('ambiguous');
    expect(await make.countPresent(locationId)).toBe(0);
  });

  it('records an attempt with an unknown code as not_found', async () => {
    const { location } = await make.makeSpace();
    const { checkIn, status } = await scan({ locationId: location.id, code: 'XXXX' });
    expect(status).toBe(200);
    expect(checkIn).toEqual({
      ...{
        id: null,
        checkOutToken: null,
        result: 'not_found',
        unconfirmed: false,
        disputed: false,
        label: null,
        checkedInAt: null,
        checkedOutAt: null,
      },
      subject: null,
    });
    expect(await make.listAttempts(location.id)).toMatchObject([
      { result: 'not_found', subject: null },
    ]);
  });

  it('a full location admits nobody until a guest leaves', async () => {
    const { location } = await make.makeSpace();
    await make.setCapacity(location.id, 1);
    const [first, second] = [await make.makeMember(), await make.makeMember()];
    const { checkIn } = await scan({ locationId: location.id, code: first.code });
    expect(await result({ locationId: location.id, code: second.code })).toBe('capacity_full');
    await checkOut(app, checkIn.checkOutToken as string);
    expect(await result({ locationId: location.id, code: second.code })).toBe('admitted');
    expect(await make.countPresent(location.id)).toBe(1);
  });

  it('returns the first result for a retried scan and records no second attempt', async () => {
    const { code, locationId } = await make.makeTicket();
    const first = await scan({ locationId, code, scanId: 'scan 1' });
    advanceClock(3);
    const again = await scan({ locationId, code: ` ${code.toLowerCase()}`, scanId: 'scan 1' });
    expect(again).toEqual(first);
    expect(again.status).toBe(201);
    const second = await scan({ locationId, code, scanId: 'scan 2' });
    expect(second.checkIn.result).toBe('already_in');
    expect(await scan({ locationId, code, scanId: 'scan 2' })).toEqual(second);
    const out = await scan({ locationId, code, scanId: 'scan 3', leaving: true });
    expect(out.checkIn.result).toBe('checked_out');
    expect(await scan({ locationId, code, scanId: 'scan 3', leaving: true })).toEqual(out);
    expect(await make.listAttempts(locationId)).toHaveLength(3);
  });

  it('rejects a scan id that was used for another scan', async () => {
    const { code, locationId } = await make.makeTicket();
    await scan({ locationId, code, scanId: 'mine' });
    for (const other of [{ code: 'OTHER' }, { code, leaving: true }]) {
      const { status, error } = await scan({ locationId, scanId: 'mine', ...other });
      expect(status).toBe(422);
      expect(error?.message).toContain('was used for another scan');
    }
    const { location } = await make.makeSpace();
    expect((await scan({ locationId: location.id, code, scanId: 'mine' })).status).toBe(200);
  });

  it('checks out with the token, and a second check-out changes nothing', async () => {
    const { code, locationId } = await make.makeTicket();
    const { checkIn } = await scan({ locationId, code });
    advanceClock(5);
    const first = await checkOut(app, checkIn.checkOutToken as string);
    advanceClock(9);
    expect(await checkOut(app, checkIn.checkOutToken as string)).toEqual(first);
    expect(await make.countPresent(locationId)).toBe(0);
    await scan({ locationId, code });
    const rejected = (await make.listAttempts(locationId)).find(
      ({ result }) => result === 'checked_out',
    );
    const unknown = createSecret('checkOut').plainText;
    for (const other of [v7(), 'nonsense', rejected?.id as string, checkIn.id as string, unknown]) {
      expect((await checkOut(app, other)).error?.message).toBe('No such check-in.');
    }
  });

  it('rejects an unknown location, no credential, and two credentials', async () => {
    const { location } = await make.makeSpace();
    const { error } = await scan({ locationId: v7(), code: 'ANY' });
    expect(error?.message).toMatch(/^No such location: [\w-]{36}\.$/);
    for (const presented of [{}, { code: 'A', handle: 'B' }]) {
      const { error } = await scan({ locationId: location.id, ...presented });
      expect(error?.message).toMatch(/^Specify exactly one/);
    }
    expect(await make.listAttempts(location.id)).toEqual([]);
  });
});

describe('a code from a scanner that swaps Y and Z', () => {
  const swap = (code: string) =>
    code.replace(/[YZ]/g, (letter) => (letter === 'Y' ? 'Z' : 'Y')).toLowerCase();

  it('is found wherever a code is typed, after what has the code as typed', async () => {
    const { db } = app.ctx;
    const scan = createGraphqlScanner(app);
    const { code, locationId } = await make.makeTicket();
    const ticket = await db.ticket.findUniqueOrThrow({ where: { code } });
    const ticketCode = 'ZB2CZF3GZH4Z';
    await db.ticket.update({ where: { id: ticket.id }, data: { code: ticketCode } });
    const member = await make.makeMember({ code: 'ZZ2345678Z', name: 'Yvette Krystyn' });
    const { checkIn } = await scan({ locationId, code: swap(ticketCode) });
    expect(checkIn.result).toBe('admitted');
    expect((await staff({ locationId, code: swap(member.code) })).checkIn.label).toBe(member.name);

    const reader = { token: await app.token('orders:read', 'check-ins:write', 'members:read') };
    const { data } = await app.graphql(
      `query ($q: String!, $member: String!, $locationId: ID!) {
        orders(filter: { q: $q }) { nodes { id } } tickets(filter: { q: $q }) { nodes { id } }
        byCode: lookUpMember(locationId: $locationId, query: $member) { matches { label } }
        byName: lookUpMember(locationId: $locationId, query: "Krystyn") { matches { label } } }`,
      { q: swap(ticketCode), member: swap(member.code), locationId },
      reader,
    );
    const found = { matches: [{ label: 'Yvette K.' }] };
    expect(data).toEqual({
      orders: { nodes: [{ id: ticket.orderId }] },
      tickets: { nodes: [{ id: ticket.id }] },
      ...{ byCode: found, byName: found },
    });

    const imported = await make.makeMember({ code: swap(member.code).toUpperCase() });
    expect((await staff({ locationId, code: swap(member.code) })).checkIn.label).toBe(
      imported.name,
    );
  });

  it('differs from a name with Y as its only vowel', () => {
    for (const name of ['Lynch', 'Flynn', 'Krystyn', 'Schytz', 'Yvy', 'Wynn Byrd', 'Tryggvy Wynn'])
      expect(parseKioskInput(name)).toEqual({ kind: 'query', query: name });
    for (const code of ['ZB2CZF3GZH4Z', 'ZBKCZFTGZHPZ'])
      expect(parseKioskInput(swap(code))).toEqual({ kind: 'code', code: swap(code).toUpperCase() });
  });
});
