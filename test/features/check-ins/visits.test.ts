import fc from 'fast-check';
import { releaseNoShows } from '../../../src/features/bookings/service.ts';
import { purgeRefusedAttempts } from '../../../src/features/check-ins/attempt-log.ts';
import { endOverdueVisits } from '../../../src/features/check-ins/commands/check-out.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import {
  checkOutByGraphql,
  DOORS,
  type Door,
  graphqlDoor,
  presentablesOf,
  today,
} from '../../support/check-ins.ts';
import { mailsTo } from '../../support/events.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { NOW } from '../../support/seed.ts';

let app: TestApp;
let make: ReturnType<typeof presentablesOf>;
let scan: Door;
let staff: Door;
let token: string;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  make = presentablesOf(app);
  token = await app.token('check-ins:read', 'check-ins:write');
  staff = graphqlDoor(app, { token });
  scan = graphqlDoor(app);
});
afterEach(async () => {
  app.clock.now = NOW;
  await app.ctx.db.rateLimit.deleteMany();
});
afterAll(() => app.stop());

const later = (minutes: number) => {
  app.clock.now = new Date(NOW.getTime() + minutes * 60_000);
};
const DAY = 24 * 60;

describe('a visit', () => {
  it('ends when the doors are shut, of itself, and says so', async () => {
    const { location } = await make.makeHouse();
    const { code } = await make.makeMember();
    const { told } = await scan({ locationId: location.id, code });
    const closing = today('18:00', '18:00').endsAt;
    app.clock.now = new Date(closing.getTime() - 1);
    await endOverdueVisits(app.ctx);
    expect(await make.presentAt(location.id)).toBe(1);
    app.clock.now = new Date(closing.getTime() + 30_000);
    expect(await endOverdueVisits(app.ctx)).toBeGreaterThanOrEqual(1);
    expect(await endOverdueVisits(app.ctx)).toBe(0);
    expect(await make.presentAt(location.id)).toBe(0);
    expect(await make.attempts(location.id)).toMatchObject([
      { id: told.id, checkedOutAt: closing, autoCheckedOut: true },
    ]);
  });

  it('that has lasted its time takes nobody’s place, even before that is noted', async () => {
    const { location } = await make.makeHouse();
    await make.capacity(location.id, 1);
    await scan({ locationId: location.id, code: (await make.makeMember()).code });
    later(DAY);
    expect(await occupancyOf(location.id)).toMatchObject([{ present: 0, capacity: 1 }]);
    const { told } = await scan({ locationId: location.id, code: (await make.makeMember()).code });
    expect(told.result).toBe('admitted');
    expect(await occupancyOf(location.id)).toMatchObject([{ present: 1 }]);
    expect(await make.presentAt(location.id)).toBe(1);
  });

  it('of a booking lasts at least as long as that', async () => {
    const { room } = await make.makeHouse();
    const booking = await make.makeBooking(room, {}, ['10:30', '20:00']);
    await staff({ locationId: room.locationId, bookingId: booking.id });
    expect(await make.attempts(room.locationId)).toMatchObject([
      { autoCheckOutAt: booking.endsAt },
    ]);
  });

  it('of a ticket lasts as long as its event, however often that is moved', async () => {
    const ticket = await make.makeTicket(); // until 13:00
    const { code, locationId, eventId } = ticket;
    await scan({ locationId, code });
    const events = { token: await app.token('events:read', 'events:write') };
    const move = async (endsAt: Date) => {
      const { errors } = await app.graphql(
        `mutation ($id: ID!, $input: UpdateEventInput!) { updateEvent(id: $id, input: $input) { id } }`,
        { id: eventId, input: { endsAt } },
        events,
      );
      expect(errors).toEqual([]);
    };
    await move(today('14:00', '14:00').endsAt);
    app.clock.now = today('13:30', '13:30').endsAt;
    await endOverdueVisits(app.ctx);
    expect(await make.presentAt(locationId)).toBe(1);
    await move(today('13:45', '13:45').endsAt);
    app.clock.now = today('13:50', '13:50').endsAt;
    await endOverdueVisits(app.ctx);
    const ended = { checkedOutAt: today('13:45', '13:45').endsAt, autoCheckedOut: true };
    expect(await make.attempts(locationId)).toMatchObject([ended]);
  });

  it('that ended by itself uses up no ticket of an event that goes on', async () => {
    const { code, locationId, eventId } = await make.makeTicket();
    await scan({ locationId, code });
    app.clock.now = today('13:10', '13:10').endsAt;
    await endOverdueVisits(app.ctx);
    expect((await scan({ locationId, code })).told.result).toBe('expired');
    const { endsAt } = today('15:00', '15:00');
    await app.ctx.db.event.update({ where: { id: eventId }, data: { endsAt } });
    // What is told of the time before was before.
    const occurredAt = today('10:29', '10:29').endsAt.toISOString();
    expect((await scan({ locationId, code, occurredAt })).told.result).toBe('checked_out');
    const { told } = await scan({ locationId, code });
    expect(told.result).toBe('admitted');
    const rows = await make.attempts(locationId);
    expect(rows.map(({ result, entry }) => [result, entry])).toEqual([
      ...[
        ['admitted', 0],
        ['expired', 0],
        ['checked_out', 0],
        ['admitted', 1],
      ],
    ]);
    await checkOutByGraphql(app, told.checkOutToken as string);
    expect((await scan({ locationId, code })).told.result).toBe('checked_out');
  });

  it('of a member ends when they come in somewhere else', async () => {
    const [here, there] = [(await make.makeHouse()).location, (await make.makeHouse()).location];
    const { code } = await make.makeMember();
    await scan({ locationId: here.id, code });
    later(20);
    expect((await scan({ locationId: there.id, code })).told.result).toBe('admitted');
    expect([await make.presentAt(here.id), await make.presentAt(there.id)]).toEqual([0, 1]);
    expect(await make.attempts(here.id)).toMatchObject([
      { checkedOutAt: app.clock.now, autoCheckedOut: false },
    ]);
  });

  it('stays where it is for a member whom the other house has no room for', async () => {
    const [here, there] = [(await make.makeHouse()).location, (await make.makeHouse()).location];
    const { code } = await make.makeMember();
    await make.capacity(there.id, 1);
    await scan({ locationId: there.id, code: (await make.makeMember()).code });
    await scan({ locationId: here.id, code });
    expect((await scan({ locationId: there.id, code })).told.result).toBe('capacity_full');
    expect([await make.presentAt(here.id), await make.presentAt(there.id)]).toEqual([1, 1]);
  });

  it('keeps what its member booked, where those who do not come lose it', async () => {
    const { room, addRoom } = await make.makeHouse();
    await app.ctx.db.resource.update({ where: { id: room.id }, data: { noShowMinutes: 15 } });
    const other = await addRoom({ noShowMinutes: 15 });
    const [ben, ida] = [await make.makeMember(), await make.makeMember()];
    const createdAt = new Date(NOW.getTime() - DAY * 60_000);
    const more = { createdAt, updatedAt: createdAt };
    const mine = await make.makeBooking(room, { memberId: ben.id, ...more }, ['12:00', '13:00']);
    const theirs = await make.makeBooking(other, { memberId: ida.id, ...more }, ['12:00', '13:00']);
    const { told } = await scan({ locationId: room.locationId, code: ben.code }); // an hour and a half before
    later(110); // 12:20
    await releaseNoShows(app.ctx);
    expect(await statusOf(mine.id)).toBe('confirmed');
    expect(await statusOf(theirs.id)).toBe('no_show');
    await checkOutByGraphql(app, told.checkOutToken as string);
    await releaseNoShows(app.ctx);
    expect(await statusOf(mine.id)).toBe('no_show');
  });
});

describe('the books', () => {
  it('agree with who is in, after whatever happened', async () => {
    const houses = [await make.makeHouse(), await make.makeHouse()].map(
      ({ location }) => location.id,
    );
    for (const id of houses) await make.capacity(id, 3);
    const people: string[] = [];
    for (let n = 0; n < 5; n += 1) people.push((await make.makeMember()).code);
    const start = NOW.getTime();
    const step = fc.record({
      house: fc.nat(1),
      who: fc.nat(4),
      leaving: fc.boolean(),
      minutes: fc.constantFrom(0, 1, 30, 600),
      late: fc.constantFrom(0, 0, 5, 700),
      ends: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        await app.ctx.db.checkIn.deleteMany({ where: { locationId: { in: houses } } });
        app.clock.now = new Date(start);
        for (const { house, who, leaving, minutes, late, ends } of steps) {
          app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
          const occurredAt = new Date(app.clock.now.getTime() - late * 60_000).toISOString();
          const { refusal } = await staff({
            ...{ locationId: houses[house] as string, code: people[who] as string, leaving },
            occurredAt,
          });
          expect(refusal).toBeNull();
          if (ends) await endOverdueVisits(app.ctx);
          for (const id of houses) await expectAgreement(id);
        }
      }),
      { numRuns: propertyRuns(6) },
    );
  });
});

describe('visitors', () => {
  it.each(DOORS)(
    'are let in by the handle of their host, through %s, who hears of it',
    async (_, door) => {
      const { location } = await make.makeHouse();
      const host = await make.makeMember({ name: 'Ada Lovelace' });
      const handle = await make.makeHandle(host.id, location.id);
      const { told, status } = await door(app)({
        ...{ locationId: location.id, handle, visitor: { name: ' Grace Hopper ' } },
      });
      expect(status).toBe(201);
      expect(told).toMatchObject({
        ...{ result: 'admitted', label: 'Grace H.', subject: { type: 'visitor', title: 'Ada L.' } },
      });
      expect(await make.attempts(location.id)).toMatchObject([
        { subject: 'visitor', label: 'Grace Hopper', hostId: host.id, memberId: null },
      ]);
      expect(await make.presentAt(location.id)).toBe(1);
      const [mail, ...others] = await mailsTo(app, host.email);
      expect(others).toEqual([]);
      expect(mail?.subject).toBe('A visitor is here to see you');
      expect(mail?.text).toContain(
        'a visitor has arrived at House to see you (2026-03-18 10:30): Grace Hopper',
      );
      const next = await make.makeHandle(host.id, location.id);
      const gone = await door(app)({
        ...{
          locationId: location.id,
          handle: next,
          visitor: { name: 'grace hopper' },
          leaving: true,
        },
      });
      expect(gone.told.result).toBe('checked_out');
      expect(await make.presentAt(location.id)).toBe(0);
    },
  );

  it('leave by their name without its accents, and by nobody else’s', async () => {
    const { location } = await make.makeHouse();
    const host = await make.makeMember();
    const at = { locationId: location.id, memberId: host.id };
    await staff({ ...at, visitor: { name: 'José Núñez-Łaski' } });
    const leave = async (name: string, scanId = name) =>
      (await staff({ ...at, visitor: { name }, leaving: true, scanId })).told;
    expect((await leave('Jose Nunez')).result).toBe('not_found');
    const gone = await leave('jose NUNEZ laski');
    expect(gone).toMatchObject({ result: 'checked_out', label: 'José Núñez-Łaski' });
    expect(await leave('jose NUNEZ laski')).toEqual(gone); // sent again
    expect(await make.presentAt(location.id)).toBe(0);
  });

  it.each(DOORS)(
    'are people: no addresses, no links, and nobody without a host, through %s',
    async (_, door) => {
      const { location } = await make.makeHouse();
      const host = await make.makeMember();
      const handle = await make.makeHandle(host.id, location.id);
      const names = [
        'https://evil.example',
        'see www.evil',
        'evil.example',
        'a@b',
        '',
        'Grace\nHopper',
        'x'.repeat(101),
      ];
      for (const name of names) {
        const { refusal } = await door(app)({ locationId: location.id, handle, visitor: { name } });
        expect(refusal?.message).toMatch(/visitor\.name: must/);
      }
      const { refusal } = await door(app)({
        ...{ locationId: location.id, code: host.code, visitor: { name: 'Dr. J. R. Hopper' } },
      });
      expect(refusal?.message).toContain('needs the handle of the member they visit');
      expect(await mailsTo(app, host.email)).toEqual([]);
      expect(await make.attempts(location.id)).toEqual([]);
    },
  );

  it('fill no mailbox: ten mails in a quarter of an hour, then again', async () => {
    const { location } = await make.makeHouse();
    const host = await make.makeMember();
    const visit = (n: number) =>
      staff({ locationId: location.id, memberId: host.id, visitor: { name: `Guest ${n}` } });
    for (let n = 0; n < 12; n += 1) expect((await visit(n)).told.result).toBe('admitted');
    expect(await mailsTo(app, host.email)).toHaveLength(10);
    later(16);
    await visit(12);
    expect(await mailsTo(app, host.email)).toHaveLength(11);
  });
});

describe('the house', () => {
  it('hears of guests who have no host, of nobody else, and of nobody who is not let in', async () => {
    const { room } = await make.makeHouse();
    const hostEmail = `desk-${room.id}@example.org`;
    const locationId = room.locationId;
    await app.ctx.db.location.update({ where: { id: locationId }, data: { hostEmail } });
    const pass = await make.makePass({}, { id: locationId });
    const booking = await make.makeBooking(room);
    const member = await make.makeMember();
    const ticket = await make.makeTicket({}, { locationId });
    await staff({ locationId, code: pass.code });
    await staff({ locationId, code: pass.code });
    await staff({ locationId, bookingId: booking.id });
    await staff({ locationId, code: member.code });
    await staff({ locationId, code: ticket.code });
    const mails = await mailsTo(app, hostEmail);
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^A guest has arrived: Flex/),
      'A guest has arrived: Room',
    ]);
  });
});

describe('the list of attempts', () => {
  const LIST = `query ($filter: AttemptFilter, $first: Int, $after: String) {
    checkIns(filter: $filter, first: $first, after: $after) { pageInfo { hasNextPage endCursor } edges { node {
      id result label subject { type title } location { id name } at recordedAt checkedOutAt leavesAt leftByItself actor } } } }`;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
  const list = async (filter: object, more: object = {}): Promise<any> =>
    (await app.graphql(LIST, { filter, ...more }, { token })).data.checkIns;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
  const nodes = async (filter: object): Promise<any[]> =>
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
    (await list(filter)).edges.map(({ node }: any) => node);

  it('tells staff who it was, newest first, page by page, by what they look for', async () => {
    const { location } = await make.makeHouse();
    const { code } = await make.makeMember({ name: 'Ben Okafor' });
    const at = { locationId: location.id };
    await scan({ ...at, code });
    later(1);
    await scan({ ...at, code: 'NOBODY' });
    later(2);
    await staff({ ...at, code });
    const all = await nodes(at);
    expect(all.map(({ result }) => result)).toEqual(['ALREADY_IN', 'NOT_FOUND', 'ADMITTED']);
    expect(all[2]).toMatchObject({
      ...{ label: 'Ben Okafor', subject: { type: 'MEMBER', title: null }, actor: 'anonymous' },
      ...{ location: { id: location.id, name: 'House' }, leftByItself: false },
      ...{ at: NOW.toISOString(), leavesAt: today('18:00', '18:00').endsAt.toISOString() },
    });
    expect(all[0].actor).toMatch(/^token:/);
    expect(await nodes({ ...at, present: true })).toEqual([all[2]]);
    expect(await nodes({ ...at, present: false })).toEqual([all[0], all[1]]);
    expect(await nodes({ ...at, result: 'NOT_FOUND' })).toEqual([all[1]]);
    const minute = new Date(NOW.getTime() + 60_000).toISOString();
    expect(await nodes({ ...at, from: minute })).toEqual([all[0], all[1]]);
    expect(await nodes({ ...at, to: minute })).toEqual([all[2]]);
    const first = await list(at, { first: 2 });
    expect(first.pageInfo.hasNextPage).toBe(true);
    const rest = await list(at, { first: 2, after: first.pageInfo.endCursor });
    expect(rest.edges.map(({ node }: { node: unknown }) => node)).toEqual([all[2]]);
  });

  it('forgets after thirty days whoever was not let in, but no visit, and nobody who left', async () => {
    const { location } = await make.makeHouse();
    const at = { locationId: location.id };
    const { code } = await make.makeMember();
    const ticket = await make.makeTicket({}, at);
    await scan({ ...at, code: (await make.makeMember({ status: 'paused' })).code });
    await scan({ ...at, code: 'NOBODY' });
    await scan({ ...at, code });
    await scan({ ...at, code });
    await scan({ ...at, code: ticket.code });
    later(1);
    await scan({ ...at, code, leaving: true });
    await scan({ ...at, code: ticket.code, leaving: true });
    later(2);
    expect((await scan({ ...at, code: ticket.code })).told.result).toBe('checked_out');
    later(30 * DAY);
    expect(await purgeRefusedAttempts(app.ctx)).toBe(0);
    later(30 * DAY + 3);
    expect(await purgeRefusedAttempts(app.ctx)).toBeGreaterThanOrEqual(4);
    const left = await make.attempts(location.id);
    expect(left.map(({ result }) => result)).toEqual([
      ...['admitted', 'admitted', 'checked_out', 'checked_out'],
    ]);
  });
});

describe('a kiosk', () => {
  it('is found by the slug or the id of its location, and knows little of it', async () => {
    const { location } = await make.makeHouse();
    const ask = '{ locationId name timeZone lookupNames lookupNeedsKiosk }';
    const told = {
      ...{ locationId: location.id, name: 'House', timeZone: 'Europe/Berlin', lookupNames: true },
      lookupNeedsKiosk: false,
    };
    for (const name of [location.slug, location.id]) {
      const { data } = await app.graphql(`query ($l: String!) { kiosk(location: $l) ${ask} }`, {
        l: name,
      });
      expect(data.kiosk).toEqual(told);
    }
    expect((await app.graphql('{ kiosk(location: "none") { name } }')).codes).toEqual([
      'NOT_FOUND',
    ]);
    const { data } = await app.graphql(`{ kiosks ${ask} }`);
    expect(data.kiosks).toContainEqual(told);
  });
});

const statusOf = async (id: string) =>
  (await app.ctx.db.booking.findUniqueOrThrow({ where: { id } })).status;

const occupancyOf = async (locationId: string) =>
  (
    await app.graphql(
      'query ($id: ID) { occupancy(locationId: $id) { locationName present capacity } }',
      { id: locationId },
      { token },
    )
  ).data.occupancy;

/** The counter, the list and the query say the same; nobody is in twice, and no more than there is room for. */
async function expectAgreement(locationId: string) {
  const rows = await make.attempts(locationId);
  const open = rows.filter(
    ({ result, checkedOutAt }) => result === 'admitted' && checkedOutAt === null,
  );
  expect(await make.presentAt(locationId)).toBe(open.length);
  const lasting = open.filter(({ autoCheckOutAt }) => (autoCheckOutAt as Date) > app.clock.now);
  expect(await occupancyOf(locationId)).toMatchObject([{ present: lasting.length }]);
  expect(open.length).toBeLessThanOrEqual(3);
  for (const { occurredAt, autoCheckOutAt, checkedOutAt } of rows) {
    if (autoCheckOutAt) expect(autoCheckOutAt.getTime()).toBeGreaterThan(occurredAt.getTime());
    if (checkedOutAt) expect(checkedOutAt.getTime()).toBeGreaterThanOrEqual(occurredAt.getTime());
  }
}
